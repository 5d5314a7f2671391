"""Studies that are seen as curves: the laws of a corpus, and how the vocabulary of pages grows."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import urlencode

import msgspec
from msgspec import Meta

from trasmallo.study.laws import Laws
from trasmallo.values.errors import NoResults
from trasmallo.web.long_questions import LongQuestion, answer
from trasmallo.web.pages import Download, Pages, Visit
from trasmallo.web.plots import Chart, chart_of
from trasmallo.web.rendering import PageAnswer, plain

if TYPE_CHECKING:
    from trasmallo.project.project import Project
    from trasmallo.results.database.tables import Tables
    from trasmallo.values.drawing import Drawing
    from trasmallo.web.words import Words

pages = Pages()

MOST = 6
"""Pages that are compared at once: more curves cannot be told apart."""

_OFFERED = 200
"""Documents that are offered to choose from. Judgement: a longer list is searched by text."""

_PICTURES = ("zipf", "shares", "growth")

Name = Annotated[str, Meta(max_length=2_000)]


class LawsQuestion(msgspec.Struct, frozen=True):
    """The laws of a run's words, or of those in a language or of a site."""

    project: str
    language: Name = ""
    site: Name = ""
    run: str = ""


class PictureQuestion(LawsQuestion, frozen=True):
    """One of the pictures of the laws."""

    which: Literal["zipf", "shares", "growth"] = "zipf"


class LawsAnswer(PageAnswer, frozen=True, kw_only=True):
    """The laws, None where the chosen language or site has no words; `pictures` are the addresses of what is drawn of them.

    `long` is the question where it is asked as a job that has no answer yet.
    """

    laws: Laws | None
    pictures: dict[str, str]
    languages: tuple[str, ...]
    language: str = ""
    site: str = ""
    long: LongQuestion | None = None


class ProfilesQuestion(msgspec.Struct, frozen=True):
    """Documents whose growth of vocabulary is compared."""

    project: str
    document: Annotated[tuple[Name, ...], Meta(max_length=MOST)] = ()
    text: Name = ""
    run: str = ""


class Profile(msgspec.Struct, frozen=True):
    """How the vocabulary of a document grows: words and different words after each of its parts."""

    document: str
    url: str
    title: str
    words: tuple[int, ...]
    types: tuple[int, ...]


class ProfilesAnswer(PageAnswer, frozen=True, kw_only=True):
    """The profiles of some documents, and others that can be added (id, title, words)."""

    profiles: tuple[Profile, ...]
    offered: tuple[tuple[str, str, int], ...]
    chart: Chart
    text: str = ""
    run: str = ""


@pages.get("/p/{project}/laws", "laws.html")
def show_laws(visit: Visit, question: LawsQuestion) -> LawsAnswer:
    """Zipf, Mandelbrot, hapax legomena and Heaps, of the whole run or a part of it."""
    project = visit.project(question.project)
    long = _long(visit, project, question)
    laws = None if long else _laws(visit, project, question)
    with visit.pool.tables(project, question.run) as tables:
        languages = tuple(name for name in tables.tally("pages", "language", ("drop=",)) if name)
    chosen = {name: value for name in ("language", "site", "run") if (value := getattr(question, name))}
    base = f"/p/{urlencode({'': question.project})[1:]}/laws/picture?"
    words = ["trasmallo", "laws", str(project.folder)]
    for name in ("language", "site"):
        words += [f"--{name}", chosen[name]] if name in chosen else []
    listed = ", ".join(f"{name}={value!r}" for name, value in chosen.items() if name != "run")
    return LawsAnswer(
        laws=laws,
        pictures={which: base + urlencode({"which": which} | chosen) for which in _PICTURES if laws},
        languages=languages,
        language=question.language,
        site=question.site,
        long=long,
        command=shlex.join(words),
        python=f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).laws({listed})\n",
    )


def _long(visit: Visit, project: Project, question: LawsQuestion) -> LongQuestion | None:
    """The question as a job that has no answer yet; None for one that is answered."""
    found = visit.long(project, "laws", {"language": question.language, "site": question.site}, question.run)
    return found if found and answer(project, found, Laws) is None else None


def _laws(visit: Visit, project: Project, question: LawsQuestion) -> Laws | None:
    if found := _of_job(visit, project, question):
        return found
    try:
        with visit.pool.laws(project, question.run, question.language, question.site) as laws:
            return laws
    except NoResults:
        if question.language or question.site:
            return None
        raise


def _of_job(visit: Visit, project: Project, question: LawsQuestion) -> Laws | None:
    """The laws that a job has computed, None where they are computed at once."""
    long = visit.long(project, "laws", {"language": question.language, "site": question.site}, question.run)
    return answer(project, long, Laws) if long else None


@pages.get("/p/{project}/laws/picture")
def draw_law(visit: Visit, question: PictureQuestion) -> Download:
    """A law as a picture (SVG)."""
    from trasmallo.study.laws import pictures

    project = visit.project(question.project)
    laws = _laws(visit, project, question)
    if laws is None:
        raise NoResults("there is nothing to draw", "see the page of the laws")
    drawing = getattr(pictures, question.which)(laws)
    octets = translated(drawing, visit.words).svg().encode()
    return Download(f"{question.which}.svg", "image/svg+xml", iter([octets]), inline=True)


@pages.get("/p/{project}/profiles", "profiles.html")
def show_profiles(visit: Visit, question: ProfilesQuestion) -> ProfilesAnswer:
    """How the vocabulary of pages grows, several of them as curves."""
    project = visit.project(question.project)
    with visit.pool.tables(project, question.run) as tables:
        tables.prepare("pages", "profiles")
        chosen = question.document or tuple(row[0] for row in _largest(tables, question.text, 3))
        profiles = tuple(found for name in chosen if (found := _profile(tables, name)))
        offered = tuple((row[0], plain(row[1] or row[2], 90), row[3]) for row in _largest(tables, question.text, _OFFERED))
    curves = [
        (plain(one.title or one.url, 22), [(0.0, 0.0), *zip(map(float, one.words), map(float, one.types), strict=True)])
        for one in profiles
    ]
    where = [piece for name in chosen[:1] for piece in ("--where", f"document={name}")]
    return ProfilesAnswer(
        profiles=profiles,
        offered=offered,
        chart=chart_of(curves),
        text=question.text,
        run=question.run,
        command=shlex.join(["trasmallo", "list", str(project.folder), "profiles", *where]),
        python=f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).table('profiles')\n",
    )


_LARGEST = """
    SELECT document, title, url, words FROM pages
    WHERE drop = '' AND words > 0 AND (? = '' OR contains(lower(title), lower(?)) OR contains(lower(url), lower(?)))
    ORDER BY words DESC, url LIMIT ?"""
_PARTS = "SELECT words, new FROM profiles WHERE document = ? ORDER BY part"


def _largest(tables: Tables, text: str, number: int) -> list[tuple[str, str, str, int]]:
    return tables.select(_LARGEST, [text, text, text, number])


def _profile(tables: Tables, document: str) -> Profile | None:
    parts = tables.select(_PARTS, [document])
    known = tables.select("SELECT url, title FROM pages WHERE document = ?", [document])
    if not parts or not known:
        return None
    words = tuple(sum(row[0] for row in parts[: end + 1]) for end in range(len(parts)))
    types = tuple(sum(row[1] for row in parts[: end + 1]) for end in range(len(parts)))
    return Profile(document, known[0][0], known[0][1], words, types)


def translated(drawing: Drawing, words: Words, kept: str = "") -> Drawing:
    """A drawing whose labels are in the reader's language, but one that is a name."""
    from trasmallo.values.drawing import labels

    return labels.translated(drawing, words.language, kept, words.phrase)
