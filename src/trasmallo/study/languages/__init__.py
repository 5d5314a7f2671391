"""What each language brings: a folder named by its code with the same files in each.

A new language is a new folder with the files of `FILES`, and with a `tagger.model` where one was trained; `und` (undetermined)
serves every language without a folder.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import resources

import msgspec

from trasmallo.values.language_tags import primary

GENERIC = "und"
FILES = {
    "abbreviations.txt": "words that end with a point",
    "affixes.toml": "how words are made from others",
    "conventions.tsv": "where treebanks read words otherwise than the lexicon",
    "lexicon.toml": "which package brings the lexicon",
    "phrases.toml": "patterns of categories that make phrases",
    "stopwords.txt": "words that say little",
    "tags.tsv": "what the lexicon's tags mean",
    "tokens.toml": "signs inside words",
    "words.tsv": "words that the lexicon lacks",
}
"""The files of every folder, and what is in them."""


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of `tokens.toml`: signs that join letters, words cut off by an apostrophe, endings of ordinals."""

    joiners: str
    elisions: tuple[str, ...]
    ordinals: tuple[str, ...]


class Language(msgspec.Struct, frozen=True):
    """One folder, read. `endings` are the abbreviations after which a capital letter begins a sentence."""

    code: str
    abbreviations: tuple[str, ...]
    endings: frozenset[str]
    stopwords: frozenset[str]
    rules: Rules


@cache
def available() -> frozenset[str]:
    """The codes that have a folder of their own."""
    return frozenset(
        folder.name for folder in resources.files(__name__).iterdir() if folder.is_dir() and (folder / "tokens.toml").is_file()
    )


@lru_cache(maxsize=1024)
def choose(code: str) -> str:
    """The folder that serves a language tag: "es-MX" and "ES_mx" are served by es, unknown ones by und."""
    language = primary(code)
    return language if language in available() else GENERIC


def load(code: str) -> Language:
    """The language that serves a tag; read once a process, never fails for an unknown one."""
    return _read(choose(code))


@lru_cache(maxsize=1024)
def stopwords(code: str) -> frozenset[str]:
    """The function words of a language tag, also of languages whose only file is a list in `stopwords`; empty for others."""
    language = primary(code)
    if language in available():
        return _read(language).stopwords
    listed = {path.name.removesuffix(".txt") for path in resources.files(__name__).joinpath("stopwords").iterdir()}
    return _words("stopwords", f"{language}.txt") if language in listed else frozenset()


@cache
def idle_anchors() -> frozenset[str]:
    """Anchors that say nothing of where they lead ("click here"), in all languages: pages mix them, and none is a name."""
    folder = resources.files(__name__).joinpath("anchors")
    return frozenset(line for path in folder.iterdir() for line in _lines("anchors", path.name))


@cache
def domains() -> tuple[str, ...]:
    """Endings of internet names that are recognised without http://."""
    return tuple(_lines("domains.txt"))


@cache
def _read(code: str) -> Language:
    entries = [line.partition("\t") for line in _lines(code, "abbreviations.txt")]
    return Language(
        code=code,
        abbreviations=tuple(entry[0].strip() for entry in entries),
        endings=frozenset(entry[0].strip() for entry in entries if entry[2].strip() == "end"),
        stopwords=_words(code, "stopwords.txt"),
        rules=msgspec.toml.decode(_text(code, "tokens.toml"), type=Rules),
    )


def rows(code: str, name: str) -> list[list[str]]:
    """The rows of a tab-separated file of a language folder, without comments; "-" becomes an empty cell."""
    return [["" if cell == "-" else cell for cell in line.split("\t")] for line in _lines(code, name)]


def content(code: str, name: str) -> bytes:
    """A file of a language folder as it is; b"" when the language has none."""
    file = resources.files(__name__).joinpath(code, name)
    return file.read_bytes() if file.is_file() else b""


def _words(*path: str) -> frozenset[str]:
    return frozenset(word for line in _lines(*path) for word in line.split())


def _lines(*path: str) -> list[str]:
    lines = (line.strip() for line in _text(*path).splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _text(*path: str) -> str:
    return resources.files(__name__).joinpath(*path).read_text(encoding="utf-8")
