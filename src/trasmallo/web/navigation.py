"""Navigation of the app: the menu of a project and the palette are made of this one list."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

import msgspec


class Place(msgspec.Struct, frozen=True):
    """An entry of the menu: `key` is its text in `words` (nav.<key>), `path` follows the project's, `group` heads it."""

    key: str
    path: str
    group: str = ""


class MenuEntry(msgspec.Struct, frozen=True):
    """A place with its whole address."""

    key: str
    address: str
    group: str = ""


MENU: tuple[Place, ...] = (
    Place("overview", ""),
    Place("live", "/live"),
    Place("focus", "/focus"),
    Place("deep_web", "/deep-web"),
    Place("age", "/age"),
    Place("collection", "/collection"),
    Place("settings", "/settings"),
    Place("lists", "/lists"),
    Place("kinds", "/kinds"),
    Place("incidents", "/incidents"),
    Place("check", "/check"),
    Place("cluster", "/cluster"),
    Place("tables", "/tables/pages", "results"),
    Place("search", "/search", "results"),
    Place("concordance", "/concordance", "results"),
    Place("queries", "/queries", "results"),
    Place("groups", "/groups", "results"),
    Place("word", "/word", "results"),
    Place("neologisms", "/neologisms", "results"),
    Place("entities", "/entities", "results"),
    Place("entity_graph", "/entity-graph", "results"),
    Place("marking", "/marking", "results"),
    Place("trends", "/trend", "results"),
    Place("collocations", "/collocations", "results"),
    Place("segments", "/tables/segments", "results"),
    Place("regimes", "/tables/regimes", "results"),
    Place("profiles", "/profiles", "results"),
    Place("laws", "/laws", "results"),
    Place("links", "/links", "results"),
    Place("duplicates", "/tables/copies", "results"),
    Place("compare", "/compare", "results"),
    Place("jobs", "/jobs", "results"),
    Place("lab", "/lab", "results"),
    Place("report", "/report", "results"),
)
"""The menu of a project, in order. A new page adds itself here."""

OUTSIDE: tuple[Place, ...] = (
    Place("projects", "/"),
    Place("new", "/new"),
    Place("timetable", "/timetable"),
    Place("sitemap", "/sitemap"),
    Place("help", "/help"),
)


def entries(project: str) -> Sequence[MenuEntry]:
    """The menu of a project; none when there is no project."""
    return [_entry(place, f"/p/{quote(project, safe='')}") for place in MENU] if project else []


def places(project: str) -> Sequence[MenuEntry]:
    """Everything the palette offers."""
    return [*entries(project), *(_entry(place, "") for place in OUTSIDE)]


def _entry(place: Place, base: str) -> MenuEntry:
    return MenuEntry(place.key, base + place.path, place.group)
