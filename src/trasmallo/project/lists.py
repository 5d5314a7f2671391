"""The lists of words of a project: which words its tables leave out, and to which its analysis is restricted.

Files are sought beside the project file, so `../lists/own.txt` is shared by all projects of a folder.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import xxhash

from trasmallo.config import StudyConfig, digest_of
from trasmallo.study import stop
from trasmallo.study.words import Options


def settle(study: StudyConfig, folder: Path) -> StudyConfig:
    """The section with whole paths instead of names of files; raises UsageError for a list that cannot be read.

    A worker process can then read them wherever it runs.
    """
    recipes = [stop.parse(study.stop, folder.resolve()), stop.parse(study.only, folder.resolve())]
    for file in (file for recipe in recipes for file in recipe.files):
        stop.load(Path(file))
    left_out, looked_for = map(_written, recipes)
    return msgspec.structs.replace(study, stop=left_out or "none", only=looked_for)


def options_for(language: str, study: StudyConfig) -> Options:
    """How a document in a language is studied under a settled section."""
    none = Path()
    only = stop.cook(stop.parse(study.only, none), language)
    return Options(study.parts, stop.cook(stop.parse(study.stop, none), language), only)


def frequent(study: StudyConfig) -> int:
    """How many of the most frequent words the tables of the whole corpus leave out."""
    return stop.parse(study.stop, Path()).frequent


def digest(study: StudyConfig, folder: Path) -> str:
    """Changes when the section or the content of a list does; a list that cannot be read counts as empty."""
    plain = digest_of(study)
    files = [file for text in (study.stop, study.only) for file in stop.parse(text, folder.resolve()).files]
    if not files:
        return plain
    contents = [Path(file).read_bytes() if Path(file).is_file() else b"" for file in files]
    return xxhash.xxh3_64_hexdigest("".join([plain, *map(xxhash.xxh3_64_hexdigest, contents)]).encode())


def _written(recipe: stop.Recipe) -> str:
    names = ["standard"] * recipe.standard + [f"frequent:{recipe.frequent}"] * bool(recipe.frequent)
    return " + ".join([*names, *recipe.files])
