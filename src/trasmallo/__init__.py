"""A web-corpus engine: it crawls documents, cleans them and studies their words.

    import trasmallo

    trasmallo.extract(html).text                # the main text of a page
    trasmallo.slice_page(html, "madrid AND NOT liga").html   # what a page says about something
    trasmallo.duplicates(texts)                 # pairs of copies and near copies
    trasmallo.analyse("dándoselo")              # every lemma and category of a word
    trasmallo.tag("Vámonos a casa.")            # the lemma and category of each word in its context
    trasmallo.entities("Ana vive en Soria.")    # names, dates, quantities with their values
    trasmallo.tag_many(texts)                   # the same of many texts, several times as fast
    trasmallo.sitemap("public", "https://example.org/")    # of the documents in a folder
    trasmallo.Project.open("mycorpus").run()    # crawl, clean and study

Names are imported when they are first used, so that `import trasmallo` costs next to nothing.
"""

from __future__ import annotations

import functools
import importlib
from typing import TYPE_CHECKING

from trasmallo.values.software import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from trasmallo.clean.copies import duplicates
    from trasmallo.clean.read import extract
    from trasmallo.clean.slicing.sliced import slice_page
    from trasmallo.crawl.discover.folder_sitemap import sitemap
    from trasmallo.project.project import Project
    from trasmallo.study.entities.found import entities
    from trasmallo.study.morphology import analyse, tag, tag_many
    from trasmallo.study.tokenise import tokenise
    from trasmallo.values.errors import TrasmalloError
    from trasmallo.values.model import Tagged

__all__ = [
    "Project",
    "TrasmalloError",
    "__version__",
    "analyse",
    "duplicates",
    "entities",
    "extract",
    "sitemap",
    "slice_page",
    "tag",
    "tag_many",
    "tokenise",
]

_HOMES = {
    "Project": ("trasmallo.project.project", "Project"),
    "TrasmalloError": ("trasmallo.values.errors", "TrasmalloError"),
    "analyse": ("trasmallo.study.morphology", "analyse"),
    "duplicates": ("trasmallo.clean.copies", "duplicates"),
    "entities": ("trasmallo.study.entities.found", "entities"),
    "extract": ("trasmallo.clean.read", "extract"),
    "sitemap": ("trasmallo.crawl.discover.folder_sitemap", "sitemap"),
    "slice_page": ("trasmallo.clean.slicing.sliced", "slice_page"),
    "tag": ("trasmallo.study.morphology", "tag"),
    "tag_many": ("trasmallo.study.morphology", "tag_many"),
    "tokenise": ("trasmallo.study.tokenise", "tokenise"),
}


_DETECTING = ("extract", "slice_page")
"""What cleans a page asks for its language and its words, which study tells: here the one is handed to the other."""

if not TYPE_CHECKING:  # to a type checker a misspelt name is an error

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, attribute = _HOMES[name]
        value = getattr(importlib.import_module(module), attribute)
        if name in _DETECTING:
            study = {"detect": importlib.import_module("trasmallo.study.language_detection").detect_language}
            study |= {"read_lemmas": _read_lemmas} if name == "slice_page" else {}
            value = functools.update_wrapper(functools.partial(value, **study), value)
        globals()[name] = value
        return value


def _read_lemmas(texts: Sequence[str], language: str) -> Iterable[Sequence[Tagged]]:
    """What study tells of words in their context, imported when it is first asked."""
    tagged: Iterable[Sequence[Tagged]] = importlib.import_module("trasmallo.study.morphology").tag_many(texts, language)
    return tagged


def __dir__() -> list[str]:
    return __all__
