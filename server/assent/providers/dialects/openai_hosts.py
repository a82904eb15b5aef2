"""What is known of single servers by their address, where they differ in what they accept."""

from urllib.parse import urlsplit

_OPENAI = ("api.openai.com", ".openai.azure.com", ".services.ai.azure.com")


def host_of(base_url: str) -> str:
    """The host in this address, in small letters; empty where there is none."""
    try:
        return urlsplit(base_url).hostname or ""
    except ValueError:
        return ""


def is_openai(host: str) -> bool:
    """Whether OpenAI's own models answer here, by OpenAI or by Azure."""
    return is_one_of(host, *_OPENAI)


def is_one_of(host: str, *names: str) -> bool:
    """Whether the host is one of these, or within one that begins with a dot."""
    return any(host == name.removeprefix(".") or (name.startswith(".") and host.endswith(name)) for name in names)


def memo_mark(dialect: str, host: str) -> str:
    """Stands in memos: only the server that made them can read them, and others refuse what they do not know."""
    return f"{dialect} {host}"
