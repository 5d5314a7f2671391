"""Commands for whole projects: copied, deleted, brought back."""

from __future__ import annotations

from pathlib import Path

import click

from trasmallo.cli.output import folder_argument, print_json, with_output


@click.command("duplicate", epilog="Example: trasmallo duplicate mycorpus mycorpus-2")
@folder_argument
@click.argument("copy", metavar="COPY")
@with_output
def duplicate_command(folder: str, copy: str, as_json: bool, quiet: bool) -> None:
    """Make the project COPY with the settings and lists of words of DIR, without its results."""
    from trasmallo.project.workspace import Workspace

    target = Path(copy).resolve()
    workspace = Workspace([target.parent])
    made = workspace.folder(workspace.duplicate(workspace.open(Path(folder).resolve()), target.name))
    if as_json:
        print_json({"folder": str(made)})
    elif not quiet:
        click.echo(f"Made {made}. Next: trasmallo run {made}")


@click.command("delete", epilog="Example: trasmallo delete mycorpus")
@folder_argument
@with_output
def delete_command(folder: str, as_json: bool, quiet: bool) -> None:
    """Move a project to the trash beside it, .trasmallo-trash; `restore` brings it back."""
    from trasmallo.project.workspace import Workspace

    path = Path(folder).resolve()
    workspace = Workspace([path.parent])
    trashed = workspace.move_to_trash(workspace.open(path))
    if as_json:
        print_json(trashed)
    elif not quiet:
        click.echo(f"{folder} is in the trash. Bring it back with: trasmallo restore {folder}")


@click.command("restore", epilog="Example: trasmallo restore mycorpus")
@folder_argument
@with_output
def restore_command(folder: str, as_json: bool, quiet: bool) -> None:
    """Bring a deleted project back to where it was, as it was when it was last deleted."""
    from trasmallo.project.workspace import Workspace

    path = Path(folder).resolve()
    workspace = Workspace([path.parent])
    workspace.restore(workspace.last_trashed(path).key)
    if as_json:
        print_json({"folder": str(path)})
    elif not quiet:
        click.echo(f"{folder} is back.")
