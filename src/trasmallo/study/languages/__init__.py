"""Languages: each is a folder named by its code, ours beside this file and those of plug-ins alike (`trasmallo.languages`).

A folder has any of the files of `FILES`. What a language lacks is not there (`has`), or is that of `und` (undetermined), which
also serves the texts of every language without `tokens.toml`. A plug-in for a language of ours adds the files that ours lacks.
"""

from __future__ import annotations

import importlib
from functools import cache, cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import cast

import msgspec

from trasmallo import plugins
from trasmallo.study.languages.parts import Measuring, Segmenting, Splitting, Stemming
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import UsageError
from trasmallo.values.language_tags import primary

GENERIC = "und"
GROUP = "trasmallo.languages"
FILES = {
    "language.toml": "names of the language, its stemmers (`Description`)",
    "abbreviations.txt": "words that end with a point",
    "affixes.toml": "how words are made from others",
    "anchors.txt": "anchors that say nothing of where they lead",
    "entities.model": "what training learnt of names in texts",
    "entities.toml": "words of dates, numbers, quantities, money and addresses",
    "frequencies.zst": "how often words are used in general",
    "conventions.tsv": "where treebanks read words otherwise than the lexicon",
    "lexicon.toml": "which package brings the lexicon",
    "kinds.model": "what training learnt of words that nobody lists",
    "kinds.toml": "what stands around words that nobody lists, and how they are derived",
    "misspellings.toml": "how words are misspelt",
    "old.tsv": "words of an older stage, and the modern ones that they are",
    "phrases.toml": "patterns of categories that make phrases",
    "sketches.toml": "patterns of categories that make grammatical relations",
    "stopwords.txt": "words that say little",
    "tagger.model": "what the tagger learnt from treebanks",
    "tags.tsv": "what the lexicon's tags mean",
    "tokens.toml": "signs inside words",
    "words.tsv": "words that the lexicon lacks",
    "readability.py": "syllables, and formulas of readability",
    "segmenter.py": "words where none are written apart",
    "splitting.py": "parts of words that are written together",
}
"""The files that a folder may have, and what is in them; code may have data of its own beside it."""


class Description(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of `language.toml`.

    `snowball` is the algorithm of the Snowball project ("" for none), `stemmers` are other stemmers, by name the module of the
    folder (`parts.Stemming`), `compared` those worth comparing. `accented` are endings without and with their accent: search
    folds accents, and the stemmer needs them.
    """

    english: str = ""
    spanish: str = ""
    snowball: str = ""
    stemmers: dict[str, str] = {}
    compared: tuple[str, ...] = ()
    accented: tuple[tuple[str, str], ...] = ()


class TokenRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of `tokens.toml`: signs that join letters, words cut off by an apostrophe, endings of ordinals.

    `neutral` are signs in the place of a gender's vowel, with what follows them in a word.
    """

    joiners: str
    elisions: tuple[str, ...]
    ordinals: tuple[str, ...]
    neutral: tuple[str, ...] = ()


class Language:
    """What is known of one language; its files are read when they are first asked for, once a process."""

    def __init__(self, code: str, packages: tuple[str, ...]) -> None:
        self.code = code
        self._packages = packages

    def has(self, name: str) -> bool:
        """Whether the language itself has a file."""
        return name in self._files

    @property
    def parts(self) -> tuple[str, ...]:
        """What the language has: the names of its files without their endings, and the stemmers."""
        described = self.description
        stemmers = (*(("snowball",) if described.snowball else ()), *described.stemmers)
        return (*(name.partition(".")[0] for name in FILES if name in self._files and name != "language.toml"), *stemmers)

    def content(self, name: str) -> bytes:
        """A file as it is; that of `und` when the language has none, b"" when this has none either."""
        if name in self._files:
            return self._files[name][1].read_bytes()
        return b"" if self.code == GENERIC else _language(GENERIC).content(name)

    def lines(self, name: str) -> list[str]:
        """The lines of a text file that say something: neither comments nor blanks."""
        lines = (line.strip() for line in self.content(name).decode().splitlines())
        return [line for line in lines if line and not line.startswith("#")]

    def rows(self, name: str) -> list[list[str]]:
        """The rows of a tab-separated file; "-" becomes an empty cell."""
        return [["" if cell == "-" else cell for cell in line.split("\t")] for line in self.lines(name)]

    @cached_property
    def description(self) -> Description:
        """What `language.toml` says; a language without it is called by its code."""
        content = self.content("language.toml") if self.has("language.toml") else b""
        found = msgspec.toml.decode(content, type=decodable(Description))
        names = {"english": found.english or self.code, "spanish": found.spanish or self.code}
        return msgspec.structs.replace(found, **names)

    @cached_property
    def abbreviations(self) -> dict[str, bool]:
        """Words that end with a point, each with whether a capital letter after it begins a sentence."""
        entries = (line.partition("\t") for line in self.lines("abbreviations.txt"))
        return {entry.strip(): mark.strip() == "end" for entry, _, mark in entries}

    @cached_property
    def stopwords(self) -> frozenset[str]:
        """The function words."""
        return frozenset(word for line in self.lines("stopwords.txt") for word in line.split())

    @cached_property
    def rules(self) -> TokenRules:
        """How its words are cut."""
        return msgspec.toml.decode(self.content("tokens.toml"), type=decodable(TokenRules))

    @cached_property
    def splitting(self) -> Splitting | None:
        """Who takes its words apart; None where they have no parts."""
        return cast("Splitting | None", self._module("splitting"))

    @cached_property
    def segmenting(self) -> Segmenting | None:
        """Who finds words in its runs of characters; None where blanks do."""
        return cast("Segmenting | None", self._module("segmenter"))

    @cached_property
    def measuring(self) -> Measuring | None:
        """Who measures how hard its texts are to read; None where there are no formulas."""
        return cast("Measuring | None", self._module("readability"))

    def stemming(self, name: str) -> Stemming | None:
        """The stemmer of its own of this name, None when it has not this one."""
        return cast("Stemming | None", self._module(self.description.stemmers.get(name, "")))

    def _module(self, name: str) -> object:
        package, _ = self._files.get(f"{name}.py", ("", None))
        return importlib.import_module(f"{package}.{name}") if package else None

    @cached_property
    def _files(self) -> dict[str, tuple[str, Path]]:
        """Its files by name, each with the package that has it: the first of those that do."""
        packages = reversed(self._packages)
        return {path.name: (package, path) for package in packages for path in _folder(package).iterdir()}


def _folder(package: str) -> Path:
    """Where a package of a language is; it is not imported."""
    try:
        found = find_spec(package)
    except ImportError:
        found = None
    if found is None or not found.submodule_search_locations:
        raise UsageError(
            "the language of {package} is not there", "install the package that brings {package} again", package=package
        )
    return Path(found.submodule_search_locations[0])


@cache
def _packages() -> dict[str, tuple[str, ...]]:
    """The packages that bring each language, ours first."""
    found: dict[str, tuple[str, ...]] = {}
    for point in plugins.points(GROUP):
        found[primary(point.name)] = (*found.get(primary(point.name), ()), point.value)
    return found


@cache
def _language(code: str) -> Language:
    return Language(code, _packages()[code])


def known() -> tuple[Language, ...]:
    """Every language of which something is known, by its code; `und` is none."""
    return tuple(_language(code) for code in sorted(_packages()) if code != GENERIC)


@lru_cache(maxsize=1024)
def find(tag: str) -> Language | None:
    """The language of a tag ("es-MX", "ES_mx"), None when nothing is known of it."""
    code = primary(tag)
    return _language(code) if code in _packages() else None


def check_known(tag: str) -> None:
    """Raise UsageError for the tag of a language of which nothing is known."""
    if find(tag) is None and tag != GENERIC:
        codes = ", ".join(language.code for language in known())
        raise UsageError("nothing is known of the language {tag!r}", "choose one of {codes}", tag=tag, codes=codes)


@lru_cache(maxsize=1024)
def load(tag: str) -> Language:
    """The language whose rules cut the texts in a language: its own if it has some, else `und`."""
    found = find(tag)
    return found if found is not None and found.has("tokens.toml") else _language(GENERIC)


@lru_cache(maxsize=1024)
def choose(tag: str) -> str:
    """The code of the language that `load` gives."""
    return load(tag).code


@lru_cache(maxsize=1024)
def stopwords(tag: str) -> frozenset[str]:
    """The function words of a language tag; empty for languages of which none are listed."""
    found = find(tag)
    return found.stopwords if found is not None else frozenset()


@cache
def idle_anchors() -> frozenset[str]:
    """Anchors that say nothing of where they lead ("click here"), in all languages: pages mix them, and none is a name."""
    return frozenset(line for language in known() for line in language.lines("anchors.txt"))
