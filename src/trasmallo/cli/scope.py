"""Commands that move the border of a project's crawl, also while it runs."""

from __future__ import annotations

from collections.abc import Callable

import click

from trasmallo.cli.output import folder_argument, print_json, with_output


def _scope_options(command: Callable[..., None]) -> Callable[..., None]:
    """What both commands have."""
    command = click.option("--remove", is_flag=True, help="Take them out of the list instead.")(with_output(command))
    return click.option("--list", "only_list", is_flag=True, help="Change nothing, print the list.")(command)


@click.command("exclude", epilog="Example: trasmallo exclude mycorpus deportes .pdf$ https://example.org/login$")
@folder_argument
@click.argument("texts", nargs=-1, metavar="[TEXT]...")
@_scope_options
def exclude_command(folder: str, texts: tuple[str, ...], remove: bool, only_list: bool, as_json: bool, quiet: bool) -> None:
    """Never ask for addresses that contain TEXT; with $ behind it, that end in TEXT, so that a whole address can be meant.

    The project file is changed. A crawl that runs takes it up within a second and drops what waits and is excluded now.
    """
    _change(folder, "exclude", texts, remove=remove, only_list=only_list, as_json=as_json, quiet=quiet)


@click.command("include", epilog="Example: trasmallo include mycorpus '/news/*.html'")
@folder_argument
@click.argument("patterns", nargs=-1, metavar="[PATTERN]...")
@_scope_options
def include_command(folder: str, patterns: tuple[str, ...], remove: bool, only_list: bool, as_json: bool, quiet: bool) -> None:
    """Ask only for addresses that match one of the patterns: * is any text, $ the end. Seeds are always asked for.

    The project file is changed. A crawl that runs takes it up within a second and drops what waits and matches none.
    """
    _change(folder, "include", patterns, remove=remove, only_list=only_list, as_json=as_json, quiet=quiet)


def _change(
    folder: str, key: str, texts: tuple[str, ...], *, remove: bool, only_list: bool, as_json: bool, quiet: bool
) -> None:
    from trasmallo.project.project import Project

    project = Project.open(folder)
    listing = only_list or not texts
    found = getattr(project.config.crawl, key) if listing else getattr(project, key)(*texts, remove=remove)
    process = project.worker()
    if as_json:
        print_json({key: found, "process": process})
    elif listing:
        click.echo("\n".join(found) if found else f"`{key}` is empty.", nl=True)
    elif not quiet:
        who = f"the crawl that runs (process {process}) keeps to it in a moment" if process else "the next run keeps to it"
        click.echo(f"`{key}` has {len(found)} now; {who}.")
