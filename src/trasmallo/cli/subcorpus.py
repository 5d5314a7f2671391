"""The command that saves subcorpora by name, for `--scope`."""

from __future__ import annotations

import click
import msgspec

from trasmallo.cli.output import folder_argument, number_of, print_json, print_json_lines, print_table, with_either
from trasmallo.values.errors import UsageError


@click.command("subcorpus", epilog="Example: trasmallo subcorpus mycorpus press 'language=es site=elpais.example since=2025'")
@folder_argument
@click.argument("name", default="", metavar="[NAME]")
@click.argument("scope", default="", metavar="[SCOPE]")
@click.option("--remove", is_flag=True, help="Forget the one of this name; its documents stay.")
@with_either("no NAME")
def subcorpus_command(folder: str, name: str, scope: str, remove: bool, as_json: bool, quiet: bool) -> None:
    """Save a part of the collection under a NAME, see what one holds, or list those that are saved.

    SCOPE has conditions: language=es, site=example.org (.example.org with all below), start=URL, since=2025-01, until=2025,
    as-of=2026-05, and any on the table of pages, such as words>100. All must hold; of several values of one any will do.
    """
    from trasmallo.project.project import Project
    from trasmallo.project.scopes import scope_text

    project = Project.open(folder)
    if not name:
        _list({known: scope_text(one) for known, one in project.subcorpora().items()}, as_json=as_json, quiet=quiet)
        return
    if remove and scope:
        raise UsageError("--remove takes no scope", "leave it out")
    if remove:
        _tell(name, scope_text(project.remove_subcorpus(name)), as_json=as_json, quiet=quiet, said="removed")
        return
    if scope:
        project.save_subcorpus(name, scope)
    chosen = project.subcorpus(name)
    summary = chosen.size()
    told = {"name": name, "scope": scope_text(chosen.scope), "documents": summary.documents, "words": summary.words}
    if as_json:
        print_json(told)
    elif not quiet or not scope:
        size = f"{number_of(summary.documents, 'document')}, {number_of(summary.words, 'word')}"
        click.echo(f"{name} ({told['scope']}): {size}")


def _list(known: dict[str, str], *, as_json: bool, quiet: bool) -> None:
    rows = [{"name": name, "scope": text} for name, text in known.items()]
    if as_json:
        print_json_lines(rows)
    elif rows:
        print_table(("name", "scope"), [tuple(row.values()) for row in rows])
    elif not quiet:
        click.echo("no subcorpus is saved yet")


def _tell(name: str, scope: str, *, as_json: bool, quiet: bool, said: str) -> None:
    if as_json:
        click.echo(msgspec.json.encode({"name": name, "scope": scope, "removed": said == "removed"}))
    elif not quiet:
        click.echo(f"{name} ({scope}) {said}")
