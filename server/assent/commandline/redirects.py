"""Redirections: the files that they join to a command, and what comes of that."""

import re
from dataclasses import replace

from assent.commandline.findings import Findings
from assent.commandline.syntax.tree import Redirect
from assent.model.commands import Argument, Part
from assent.model.modes import Category

_NETWORK = re.compile(r"/dev/(tcp|udp)/.*", re.DOTALL)


PLAIN_NAME = re.compile(r"[\w./@%+,:-]+", re.ASCII)


def opened(one: Redirect, target: Argument, findings: Findings) -> None:
    if target.exact and _NETWORK.fullmatch(target.text):
        findings.contacts()
        findings.danger(f"talks to {target.text}")
        return
    # What a redirection changes is judged by its path alone; the program, and rules about it, have no say in that.
    own, category = findings.own, findings.category
    findings.redirecting = True
    if one.operator in {"<", "<>"}:
        findings.reads(target, None)
    if one.operator != "<":
        findings.own = Category.WRITE
        findings.writes(target, None)
    findings.own, findings.redirecting = own, False
    if findings.category is Category.WRITE:
        findings.category = category


def with_redirects(part: Part, redirects: Findings) -> Part:
    if not redirects.touches and not redirects.dangers:
        return part
    redirects.raises(part.category)
    return replace(
        part,
        touches=(*part.touches, *redirects.touches),
        dangers=(*part.dangers, *redirects.dangers),
        unknown=(*part.unknown, *redirects.unknown),
        category=redirects.category,
        loose=part.loose or redirects.loose,
        transparent=False,
    )
