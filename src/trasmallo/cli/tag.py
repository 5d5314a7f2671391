"""The command that tags the lines of files, each as a text of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, islice

import click
import msgspec

from trasmallo.cli.output import print_json_lines, print_separated, with_cells, with_rows
from trasmallo.values.errors import DocumentError
from trasmallo.values.model import Tagged

_COLUMNS = ("file", "line", "start", "end", "word", "lemma", "category", "features", "clitics")
_STANDARD_INPUT = "-"


class TaggedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a file with its words in their context; `line` counts from 1."""

    file: str
    line: int
    text: str
    words: list[Tagged]


@click.command("tag", epilog="Example: trasmallo tag sentences.txt --language es --json > tagged.jsonl")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--language", default="es", show_default=True, metavar="CODE", help="Language of the lines.")
@click.option("--convention", default="", metavar="NAME", help="Whose habits to follow, for Spanish: ancora or gsd.")
@with_cells
@with_rows
def tag_command(files: tuple[str, ...], language: str, convention: str, as_json: bool, quiet: bool) -> None:
    """Print each word of files in UTF-8, or of - (standard input), with its lemma and category, tab-separated.

    Every line is a text of its own, read as it is and written while others are read. A word has a row; with --json a line has
    an object with all its words.
    """
    from trasmallo.cli.progress import prepare_language

    prepare_language(language, quiet=quiet)
    found = _tagged(files, language, convention)
    tagged = chain(list(islice(found, 1)), found)  # what is refused is refused before anything is printed
    if as_json:
        print_json_lines(tagged)
    else:
        print_separated(_COLUMNS, (row for line in tagged for row in _rows(line)), tabs=True)


def _tagged(files: Iterable[str], language: str, convention: str) -> Iterator[TaggedLine]:
    """Lines in order; those that the tagger has taken and not given back yet wait."""
    from trasmallo.study.morphology import tag_many

    waiting: deque[tuple[str, int, str]] = deque()

    def texts() -> Iterator[str]:
        for line in _lines(files):
            waiting.append(line)
            yield line[2]

    for words in tag_many(texts(), language, convention):
        file, number, text = waiting.popleft()
        yield TaggedLine(file=file, line=number, text=text, words=words)


def _lines(files: Iterable[str]) -> Iterator[tuple[str, int, str]]:
    """The lines of files, each with its file and number. Raises DocumentError for a file that cannot be read."""
    for name in files:
        try:
            with click.open_file(name, encoding="utf-8-sig") as file:
                told = name if name != _STANDARD_INPUT else "standard input"
                for number, line in enumerate(file, 1):
                    yield told, number, line.removesuffix("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise DocumentError(
                "cannot read {path} ({error})", "save it as UTF-8 in a file you may read", path=name, error=error
            ) from None


def _rows(line: TaggedLine) -> Iterator[tuple[object, ...]]:
    for one in line.words:
        clitics = " ".join(one.clitics)
        yield (line.file, line.line, one.start, one.end, one.word, one.lemma, one.category, one.features, clitics)
