"""Output of commands: tables for people, JSON or JSON lines for programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import click
import msgspec

from trasmallo.values.errors import UsageError
from trasmallo.values.spreadsheet_cells import REMARK, CellForm, SeparatedLines

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
quiet_option = click.option("--quiet", "-q", is_flag=True, help="Print nothing but results and errors.")
folder_argument = click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))


def with_output(command: Callable[..., None]) -> Callable[..., None]:
    """Both options of every command that prints results."""
    return json_option(quiet_option(command))


_RAW, _BOM = "trasmallo.raw", "trasmallo.bom"
"""Where the context keeps how cells are printed."""


def _keep(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    context.meta[f"trasmallo.{parameter.name}"] = value


def with_cells(command: Callable[..., None]) -> Callable[..., None]:
    """Options of every command that prints CSV or TSV; `print_separated` follows them."""
    raw = "CSV, TSV: leave cells as they are that begin with = + - @, a tab or a CR; else an apostrophe keeps them texts."
    bom = "CSV, TSV: begin with a byte order mark, by which Excel knows UTF-8."
    for name, about in (("--bom", bom), ("--raw", raw)):
        command = click.option(name, is_flag=True, expose_value=False, callback=_keep, help=about)(command)
    return command


def print_json(value: object) -> None:
    """One JSON value, indented."""
    click.echo(msgspec.json.format(msgspec.json.encode(value)).decode())


def print_json_lines(rows: Iterable[object]) -> None:
    """A JSON value a line, as they come."""
    encoder = msgspec.json.Encoder()
    out = sys.stdout.buffer
    for row in rows:
        out.write(encoder.encode(row) + b"\n")
    out.flush()


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "", caption: str = "") -> None:
    """A table as wide as the screen; cells that do not fit are folded."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    class _Console(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    table = Table(title=escape(title) or None, caption=escape(caption) or None, title_justify="left", caption_justify="left")
    listed = [[_cell(value) for value in row] for row in rows]
    for index, name in enumerate(columns):
        numeric = bool(listed) and all(row[index].replace(",", "").replace(".", "", 1).lstrip("-").isdigit() for row in listed)
        table.add_column(name, justify="right" if numeric else "left", overflow="fold")
    for row in listed:
        table.add_row(*map(escape, row))
    _Console(soft_wrap=False).print(table)


def print_separated(columns: Sequence[str], rows: Iterable[Sequence[object]], *, tabs: bool = False) -> None:
    """Comma- or tab-separated values with a header, as --raw and --bom say; cells that got an apostrophe are told of."""
    context = click.get_current_context(silent=True) or click.Context(click.Command(None))
    form = CellForm(tabs=tabs, raw=context.meta.get(_RAW, False), bom=context.meta.get(_BOM, False))
    lines = SeparatedLines(columns, rows, form)
    for line in lines:
        sys.stdout.write(line)
    if lines.changed and not context.params.get("quiet"):
        click.echo(f"{lines.changed:,} cells: {REMARK}", err=True)


def write_file(name: str, text: str) -> None:
    """A file of text; raises UsageError when it cannot be written."""
    try:
        Path(name).write_text(text, "utf-8", "replace")
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
