"""Output of commands: tables for people, JSON or JSON lines for programs."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
import msgspec

from trasmallo.results.dates import as_told
from trasmallo.values.date_ends import checked_end, is_written_as_date
from trasmallo.values.errors import UsageError
from trasmallo.values.spreadsheet_cells import REMARK, CellForm, SeparatedLines
from trasmallo.values.written_json import encode_json

if TYPE_CHECKING:
    from trasmallo.project.queries import Queries

Asked = TypeVar("Asked", bound="Queries")

OBJECT = "Print one JSON object."
ROWS = "Print JSON Lines: an object a row, and nothing where there are no rows."
"""The two shapes of what a program reads: rows wherever a table is printed for people, an object for everything else."""

_NARROWEST = 14
"""Characters of a column that is cut. Judgement: as many as a cell needs to be told from others."""

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{1,9}:/")
"""How a cell with an address begins."""

_FRAME = 3
"""Characters that a table draws for each column: a line and a blank at either side."""

STANDARD_OUTPUT = "-"
"""What is typed in the place of a file to have it printed."""

quiet_option = click.option("--quiet", "-q", is_flag=True, help="Print nothing but results and errors.")
folder_argument = click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))


def with_output(command: Callable[..., None], shape: str = OBJECT) -> Callable[..., None]:
    """Both options of every command that prints results; `shape` says which --json prints."""
    return click.option("--json", "as_json", is_flag=True, help=shape)(quiet_option(command))


def with_rows(command: Callable[..., None]) -> Callable[..., None]:
    """The same of a command that prints a table."""
    return with_output(command, ROWS)


def with_either(rows: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The same of a command that prints an object, and rows in the cases that `rows` names."""
    return lambda command: with_output(command, f"Print one JSON object; with {rows}, JSON Lines: an object a row.")


def number_of(count: int, noun: str) -> str:
    """A number with what it counts, whose plural ends in s: "1 row", "2,000 rows"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


_RAW, _BOM = "trasmallo.raw", "trasmallo.bom"
"""Where the context keeps how cells are printed."""


def _keep(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    context.meta[f"trasmallo.{parameter.name}"] = value


_RUN, _SCOPE = "trasmallo.run", "trasmallo.scope"


def with_time(command: Callable[..., None]) -> Callable[..., None]:
    """Options of every command that asks the results: as of when. `as_typed` follows them."""
    date = "Answer as the collection was on a date, such as 2026-11 or 2026-11-16, or in a snapshot."
    run = "Answer for the run or the snapshot of this name."
    for name, metavar, keep, about in (("--as-of", "DATE|NAME", _keep_date, date), ("--run", "NAME", _keep_run, run)):
        command = click.option(name, metavar=metavar, expose_value=False, callback=keep, help=about)(command)
    return command


def with_scope(command: Callable[..., None]) -> Callable[..., None]:
    """The option of every command that asks the results: about which documents. `as_typed` follows it."""
    about = "Answer about a saved subcorpus, or 'language=es site=example.org since=2025-01 words>100'."
    return click.option("--scope", metavar="SCOPE", expose_value=False, callback=_keep_scope, help=about)(command)


def _keep_date(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value and (is_written_as_date(value) or value[:1].isdigit()):
        checked_end(value)
    _keep_run(context, parameter, value)


def _keep_run(context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    if value:
        context.meta[_RUN] = value


def _keep_scope(context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.meta[_SCOPE] = value


def as_typed(project: Asked) -> Asked:
    """The project as of the run or the date that was typed, and in the scope, if one was."""
    typed = click.get_current_context().meta
    run, scope = typed.get(_RUN, ""), typed.get(_SCOPE)
    project = project.as_of(run) if run else project
    return project if scope is None else project.subcorpus(scope)


def with_cells(command: Callable[..., None]) -> Callable[..., None]:
    """Options of every command that prints CSV or TSV; `print_separated` follows them."""
    raw = "CSV, TSV: leave cells as they are that begin with = + - @, a tab or a CR; else an apostrophe keeps them texts."
    bom = "CSV, TSV: begin with a byte order mark, by which Excel knows UTF-8."
    for name, about in (("--bom", bom), ("--raw", raw)):
        command = click.option(name, is_flag=True, expose_value=False, callback=_keep, help=about)(command)
    return command


def tell_of_loss(cause: str, *, quiet: bool) -> None:
    """One line for what a document holds and the command has not read, such as the end of one that is too large."""
    if cause and not quiet:
        click.echo(f"trasmallo: not everything was read ({printable(cause)})", err=True)


def print_json(value: object) -> None:
    """One JSON value, indented; moments are told in ISO 8601."""
    click.echo(msgspec.json.format(encode_json(as_told(value))).decode())


def print_json_lines(rows: Iterable[object]) -> None:
    """A JSON value a line, as they come; moments are told in ISO 8601."""
    out = sys.stdout.buffer
    for row in rows:
        out.write(encode_json(as_told(row)) + b"\n")
    out.flush()


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "", caption: str = "") -> None:
    """A table as wide as the screen; cells that do not fit are folded."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table
    from rich.text import Text

    class _Console(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    table = Table()
    listed = [[_cell(value) for value in row] for row in rows]
    for index, name in enumerate(columns):
        numeric = bool(listed) and all(row[index].replace(",", "").replace(".", "", 1).lstrip("-").isdigit() for row in listed)
        table.add_column(name, justify="right" if numeric else "left", overflow="fold")
    for row in listed:
        table.add_row(*map(escape, row))
    console = _Console(soft_wrap=False)
    # Beside the table and as wide as the screen: as its own title and caption they would be as narrow as it is.
    for part in (Text(title, style="table.title"), table, Text(caption, style="table.caption")):
        if part:
            console.print(part)


def print_fitted(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    title: str = "",
    captions: Sequence[str] = (),
    hidden: int = 0,
) -> None:
    """A table with a line for each row, as wide as the screen: cells are cut, and columns left out that find no room.

    Those left out, and `hidden` others that were not asked for, are told of below.
    """
    listed = [[_cell(value) for value in row] for row in rows]
    widths = fit_columns(columns, listed, shutil.get_terminal_size().columns)
    hidden += len(columns) - len(widths)
    more = f"{hidden} more {'column' if hidden == 1 else 'columns'}: choose with --columns, or see all with --format csv"
    told = "\n".join(filter(None, (*captions, more if hidden else "")))
    print_table(columns[: len(widths)], [list(map(_cut, row, widths)) for row in listed], title=title, caption=told)


def _cut(cell: str, width: int) -> str:
    """A cell as wide as its column; of an address the end is kept, by which those of one site or folder differ."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(cell) <= width:
        return cell
    if _ADDRESS.match(cell):
        return "…" + set_cell_size(cell[::-1], width - 1)[::-1]
    return set_cell_size(cell, width - 1) + "…"


def fit_columns(columns: Sequence[str], cells: Sequence[Sequence[str]], width: int) -> list[int]:
    """How wide each column is so that a row fits into `width` characters; shorter than `columns` when not all find room.

    A column gets what its cells need when that is little; those that need more share what is left. At least one is shown.
    """
    from rich.cells import cell_len

    needed = [max(len(name), *(cell_len(row[place]) for row in cells), 1) for place, name in enumerate(columns)]
    least = [max(len(name), min(need, _NARROWEST)) for name, need in zip(columns, needed, strict=True)]
    shown = len(columns)
    while shown > 1 and sum(least[:shown]) + _FRAME * shown + 1 > width:
        shown -= 1
    widths, spare = least[:shown], max(0, width - sum(least[:shown]) - _FRAME * shown - 1)
    wanting = sorted((needed[place] - widths[place], place) for place in range(shown))
    for number, (want, place) in enumerate(wanting):
        given = min(want, spare // (shown - number))
        widths[place] += given
        spare -= given
    return widths


def print_separated(columns: Sequence[str], rows: Iterable[Sequence[object]], *, tabs: bool = False) -> None:
    """Comma- or tab-separated values with a header, as --raw and --bom say; cells that got an apostrophe are told of."""
    context = click.get_current_context(silent=True) or click.Context(click.Command(None))
    form = CellForm(tabs=tabs, raw=context.meta.get(_RAW, False), bom=context.meta.get(_BOM, False))
    lines = SeparatedLines(columns, rows, form)
    for line in lines:
        sys.stdout.write(line)
    if lines.changed and not context.params.get("quiet"):
        click.echo(f"{lines.changed:,} cells: {REMARK}", err=True)


@contextmanager
def place_for(name: str) -> Iterator[str]:
    """Where to write what was asked for under a name: there, or for standard output a file that is printed at the end."""
    if name != STANDARD_OUTPUT:
        yield name
        return
    with tempfile.TemporaryDirectory(prefix="trasmallo-") as folder:
        path = Path(folder) / "out.warc.gz"  # the one name that tells an exporter something: a single file
        yield str(path)
        with path.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()


def write_file(name: str, text: str) -> None:
    """A file of text, "-" is standard output; raises UsageError when it cannot be written."""
    if name == STANDARD_OUTPUT:
        click.echo(text, nl=not text.endswith("\n"))
    else:
        write_octets(name, text.encode("utf-8", "replace"))


def write_octets(name: str, octets: bytes) -> None:
    """A file, "-" is standard output; raises UsageError when it cannot be written."""
    if name == STANDARD_OUTPUT:
        sys.stdout.buffer.write(octets)
        return
    try:
        Path(name).write_bytes(octets)
    except OSError as error:
        raise UsageError(
            "cannot write {name} ({reason})", "give a file in a folder that can be written", name=name, reason=error.strerror
        ) from None


def _cell(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.2f}" if not 0 < abs(value) < 0.01 else f"{value:.6f}"
    return "" if value is None else printable(str(value))


def printable(text: str) -> str:
    """A text from a hostile page, without what would move the cursor or colour the screen."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
