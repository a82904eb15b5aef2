"""What servers that search answer, each kind in its own way, and what they refuse."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

FOUND = [
    ("Gates & locks", "https://one.example/a?b=c", "A gate that <strong>asks</strong> first."),
    ("Second", "http://two.example/", ""),
    ("Third\nline", "https://three.example/x", "More\u202e words."),
]
KEY = "key-for-searching"


class Refused(Exception):
    """The server says no, with this number."""

    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.status = status


def answer_of(kind: str, head: str, body: bytes, key: str = "") -> Any:
    """What a server of this kind answers, as JSON. Raises Refused."""
    method, target, *_ = head.split(" ")
    parts = urlsplit(target)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    headers = {
        name.strip().lower(): value.strip()
        for name, _, value in (line.partition(":") for line in head.split("\r\n")[1:])
    }
    return _KINDS[kind](method, parts.path, query, headers, body, key)


def _searxng(method: str, path: str, query: dict[str, str], headers: dict[str, str], body: bytes, key: str) -> Any:
    if path != "/search" or method != "GET":
        raise Refused("404 Not Found")
    if query.get("format") != "json":
        raise Refused("403 Forbidden")
    results = [{"title": t, "url": u, "content": s, "engine": "x", "score": 1.0} for t, u, s in FOUND]
    return {"query": query["q"], "number_of_results": len(results), "results": results, "unresponsive_engines": []}


def _brave(method: str, path: str, query: dict[str, str], headers: dict[str, str], body: bytes, key: str) -> Any:
    if path != "/res/v1/web/search" or method != "GET":
        raise Refused("404 Not Found")
    if headers.get("x-subscription-token", "") != key:
        raise Refused("422 Unprocessable Entity")
    if query["q"] == "nothing":
        return {"type": "search", "query": {"original": query["q"]}}
    results = [{"type": "search_result", "title": t, "url": u, "description": s} for t, u, s in FOUND]
    web = {"type": "search", "results": results[: int(query["count"])]}
    return {"type": "search", "query": {"original": query["q"]}, "web": web}


def _tavily(method: str, path: str, query: dict[str, str], headers: dict[str, str], body: bytes, key: str) -> Any:
    if path != "/search" or method != "POST" or headers.get("content-type") != "application/json":
        raise Refused("404 Not Found")
    if headers.get("authorization", "") != (f"Bearer {key}" if key else ""):
        raise Refused("401 Unauthorized")
    asked = json.loads(body)
    results = [{"title": t, "url": u, "content": s, "score": 0.9, "raw_content": None} for t, u, s in FOUND]
    return {"query": asked["query"], "results": results[: asked["max_results"]], "response_time": 0.1}


def _custom(method: str, path: str, query: dict[str, str], headers: dict[str, str], body: bytes, key: str) -> Any:
    if path != "/find" or method != "GET":
        raise Refused("404 Not Found")
    return [{"title": t, "url": u, "snippet": s} for t, u, s in FOUND][: int(query["count"])]


_KINDS = {"searxng": _searxng, "brave": _brave, "tavily": _tavily, "custom": _custom}
