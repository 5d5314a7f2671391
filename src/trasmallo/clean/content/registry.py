"""Registry of methods that find the main content of a page: one entry a method, ours and those of plug-ins."""

from __future__ import annotations

from functools import cache
from typing import Protocol

import msgspec

from trasmallo import plugins
from trasmallo.clean.flat import FlatPage
from trasmallo.clean.layout import Layout
from trasmallo.values.errors import UsageError

GROUP = "trasmallo.methods"


class FindMain(Protocol):
    """Says for each block of a layout whether it is main content."""

    def __call__(self, page: FlatPage, layout: Layout, *, favour: float) -> list[bool]:
        """One flag a block; `favour` goes from 0 (precision) to 1 (recall)."""


class Method(msgspec.Struct, frozen=True, kw_only=True):
    """A method that finds main content; `says` tells in English ("en") and Spanish ("es") what it takes for it, in a line."""

    find: FindMain
    says: dict[str, str]


@cache
def method_named(name: str) -> Method:
    """A method by its name; only its module is imported. Raises UsageError for an unknown one."""
    if name not in plugins.own_names(GROUP) and name not in plugins.names(GROUP):
        raise UsageError(
            "unknown method {name!r}", "choose one of {methods}", name=name, methods=", ".join(sorted(plugins.names(GROUP)))
        )
    return _checked(name, plugins.load(GROUP, name))


@cache
def methods() -> dict[str, Method]:
    """All methods by their names, ours first; raises UsageError for a plug-in that is no `Method`."""
    return {name: _checked(name, entry) for name, entry in plugins.load_all(GROUP).items()}


def _checked(name: str, entry: object) -> Method:
    if not isinstance(entry, Method):
        raise UsageError(
            "the plug-in {name!r} of {group} is no Method",
            "repair or uninstall the package it comes from",
            name=name,
            group=GROUP,
        )
    return entry
