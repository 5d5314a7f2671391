"""Breadcrumb of a concordance: the steps that led to a choice of hits, and the command and Python that give the same."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import urlencode

import msgspec
from msgspec import Meta

if TYPE_CHECKING:
    from trasmallo.project.project import Project

View = Literal["lines", "breakdown", "collocates", "distribution"]
Points = Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=3)]
Day = Annotated[str, Meta(max_length=10)]
Small = Annotated[int, Meta(ge=0, le=20)]
GroupName = Annotated[str, Meta(max_length=80)]


class HitSelection(msgspec.Struct, frozen=True, kw_only=True):
    """Which hits of a query, in which order, and how they are seen.

    `where` are conditions on documents, `since` and `until` a year, month or day that these are not before and not after;
    `sort` is "date" or, as `points`, up to three tokens such as "lemma/-1"; `context` is a number of
    words, of characters ("40c") or the sentence ("s"); `left`, `right`, `least`, `measure` and `function_words` (whether these
    are shown too) belong to collocates, `by` to the distribution. `per_document` hits of each document are taken at most, only
    those of the line group `in_group`, and none of those in `not_in`.
    """

    project: str
    query: Annotated[str, Meta(max_length=10_000)] = ""
    where: Annotated[tuple[str, ...], Meta(max_length=20)] = ()
    keep: Literal["all", "longest", "shortest"] = "all"
    sample: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    seed: Annotated[int, Meta(ge=0, le=1_000_000)] = 1
    sort: Points = ()
    reverse: bool = False
    context: Annotated[str, Meta(max_length=8)] = "8"
    view: View = "lines"
    points: Points = ()
    attribute: Literal["word", "lemma", "pos"] = "lemma"
    left: Small = 5
    right: Small = 5
    least: Annotated[int, Meta(ge=1, le=1_000_000)] = 3
    measure: Literal["log_likelihood", "mi", "mi3", "t", "log_dice", "delta_p", "delta_p_back"] = "log_dice"
    function_words: bool = False
    by: Literal["document", "site", "language", "year", "month", "week", "day"] = "site"
    run: str = ""
    since: Day = ""
    until: Day = ""
    per_document: Annotated[int, Meta(ge=0, le=10_000)] = 0
    in_group: GroupName = ""
    not_in: Annotated[tuple[GroupName, ...], Meta(max_length=20)] = ()

    @property
    def levels(self) -> dict[str, int]:
        """The places that lines are sorted by ("-1", "hit"), each with its level, 1 the first."""
        return {point.partition("/")[2]: level for level, point in enumerate(filter(None, self.sort), 1) if "/" in point}

    def sort_toggled(self, place: str) -> list[str]:
        """The sort without a place, or with its word as one more level; of four levels the last three."""
        kept = [point for point in self.sort if "/" in point and point.partition("/")[2] != place]
        return kept if place in self.levels else [*kept, f"word/{place}"][-3:]

    def pairs(self, **changes: object) -> list[tuple[str, str]]:
        """What differs from the usual, as an address or a form sends it."""
        values = {name: getattr(self, name) for name in self.__struct_fields__ if name != "project"} | changes
        usual = {name: getattr(_USUAL, name, None) for name in values}
        return [(name, each) for name, value in values.items() if value != usual[name] for each in _each(value)]


class Step(msgspec.Struct, frozen=True):
    """A step of the chain: its `kind` and `text`, the address of everything up to it, and that of everything but it."""

    kind: str
    text: str
    here: str
    without: str = ""


_ORDER = (
    "query", "where", "since", "until", "keep", "in_group", "not_in", "per_document", "sample", "seed", "sort", "reverse",
)  # fmt: skip
_DAYS = ("since", "until")
_GROUPED = ("per_document", "in_group", "not_in")
_FLAGS = {"in_group": "in"}
"""Options of the command that are not called as the field is."""

_KEPT = ("context", "tags", "run")


def steps_of(chosen: HitSelection, base: str) -> tuple[Step, ...]:
    """The chain of what was chosen, the query first; each step can be gone back to or taken out."""
    shown = {name: getattr(chosen, name, None) for name in _KEPT}
    done: dict[str, object] = {"query": chosen.query}
    found = [Step("query", chosen.query, _address(base, done | shown))]
    whole = {name: getattr(chosen, name) for name in _ORDER}
    for number, condition in enumerate(chosen.where, 1):
        others = tuple(each for each in chosen.where if each != condition)
        done = done | {"where": chosen.where[:number]}
        found.append(Step("where", condition, _address(base, done | shown), _address(base, whole | shown | {"where": others})))
    for kind, text, values in _later(chosen):
        done = done | values
        rest = whole | shown | dict.fromkeys(values)
        found.append(Step(kind, text, _address(base, done | shown), _address(base, rest)))
    return tuple(found)


def _later(chosen: HitSelection) -> list[tuple[str, str, dict[str, object]]]:
    sort = tuple(filter(None, chosen.sort))
    found: list[tuple[str, str, dict[str, object]]] = []
    found += [(name, getattr(chosen, name), {name: getattr(chosen, name)}) for name in _DAYS if getattr(chosen, name)]
    if chosen.keep != "all":
        found.append(("keep", chosen.keep, {"keep": chosen.keep}))
    if chosen.in_group:
        found.append(("in_group", chosen.in_group, {"in_group": chosen.in_group}))
    if chosen.not_in:
        found.append(("not_in", ", ".join(chosen.not_in), {"not_in": chosen.not_in}))
    if chosen.per_document:
        found.append(("per_document", str(chosen.per_document), {"per_document": chosen.per_document}))
    if chosen.sample:
        found.append(("sample", str(chosen.sample), {"sample": chosen.sample, "seed": chosen.seed}))
    if sort:
        found.append(("sort", ", ".join(sort), {"sort": sort, "reverse": chosen.reverse}))
    return found


def _address(base: str, values: dict[str, object]) -> str:
    usual = {name: getattr(_USUAL, name, None) for name in values}
    pairs = [(name, each) for name, value in values.items() if value != usual[name] for each in _each(value)]
    return f"{base}?{urlencode(pairs)}"


def _each(value: object) -> list[str]:
    listed = value if isinstance(value, tuple) else (value,)
    return [str(each).lower() if isinstance(each, bool) else str(each) for each in listed if each not in (None, "", False)]


_USUAL = HitSelection(project="")


def command_of(project: Project, chosen: HitSelection, limit: int, offset: int = 0) -> str:
    """The command that prints the same."""
    words = ["trasmallo", "kwic", str(project.folder), chosen.query]
    for name, value in _options(chosen).items():
        flag = "--" + _FLAGS.get(name, name.replace("_", "-"))
        for one in value if isinstance(value, tuple) else (value,):
            words += [flag] if one is True else [flag, str(one)]
    for condition in chosen.where:
        words += ["--where", condition]
    words += ["--limit", str(limit)] + (["--offset", str(offset)] if offset else [])
    return shlex.join(words)


def python_of(project: Project, chosen: HitSelection) -> str:
    """The Python that gives the same hits."""
    names = ("keep", "sample", "seed", "sort", "reverse", "context", *_DAYS, *_GROUPED)
    options = {name: value for name, value in _options(chosen).items() if name in names}
    options |= {"where": list(chosen.where)} if chosen.where else {}
    listed = "".join(f", {name}={value!r}" for name, value in options.items())
    opened = f"trasmallo.Project.open({str(project.folder)!r})"
    if chosen.view == "lines":
        return f"import trasmallo\n\n{opened}.kwic({chosen.query!r}{listed})\n"
    asked = {"breakdown": ",".join(filter(None, chosen.points)) or "word/hit", "collocates": chosen.attribute}
    what = asked.get(chosen.view, chosen.by)
    window, needed = "", ""
    if chosen.view == "collocates":
        needed = "from trasmallo.results.concordance.counts import CollocateWindow\n"
        sides = f"{chosen.left}, {chosen.right}, {chosen.least}, {chosen.measure!r}"
        window = f", CollocateWindow({sides}, content={not chosen.function_words})"
    asking = f"concordance.{chosen.view}({chosen.query!r}, {what!r}{window})"
    return f"import trasmallo\n{needed}\nwith {opened}.concordance() as concordance:\n    {asking}\n"


def _options(chosen: HitSelection) -> dict[str, object]:
    """What differs from the usual."""
    found = {name: getattr(chosen, name) for name in ("keep", "sample", "seed", "reverse", "context", *_DAYS, *_GROUPED)}
    found = {name: value for name, value in found.items() if value != getattr(_USUAL, name)}
    if sort := ",".join(filter(None, chosen.sort)):
        found["sort"] = sort
    if chosen.view == "breakdown":
        found["breakdown"] = ",".join(filter(None, chosen.points)) or "word/hit"
    if chosen.view == "collocates":
        found |= {"collocates": chosen.attribute, "window": f"{chosen.left},{chosen.right}"}
        found |= {"least": chosen.least, "measure": chosen.measure}
        found |= {} if chosen.function_words else {"content-words": True}
    if chosen.view == "distribution":
        found["distribution"] = chosen.by
    return found
