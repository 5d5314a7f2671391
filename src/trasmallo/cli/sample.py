"""The demo: the sample project, from crawl to tables, against a web that the program serves to itself."""

from __future__ import annotations

from pathlib import Path

import click

from trasmallo.cli import program
from trasmallo.cli.output import print_json, print_table, with_output
from trasmallo.cli.projects import print_summary


@click.command("demo", epilog="Example: trasmallo demo --into demo")
@click.option("--into", "folder", default="demo", show_default=True, metavar="DIR", type=click.Path(file_okay=False))
@click.option("--serve", is_flag=True, help="Then open the project in the web app.")
@click.option("--port", type=int, metavar="N", help="The web app's port, with --serve.")
@with_output
@click.pass_context
def demo_command(context: click.Context, folder: str, serve: bool, port: int | None, as_json: bool, quiet: bool) -> None:
    """Serve a small web of three hosts on this machine, crawl it, and show what was found."""
    from trasmallo.cli.progress import bars
    from trasmallo.demo.play import play

    played = play(Path(folder), lambda bus: bars(bus, quiet=quiet or as_json))
    if as_json:
        print_json(played)
    elif not quiet:
        print_summary(played.summary)
        print_table(("word", "occurrences", "meaning"), played.words, title="Words of the demo that no dictionary has")
        click.echo(f"\nThe project is in {folder}. Look further with: trasmallo list {folder} words --limit 50")
    if serve:
        command = program.get_command(context, "serve")
        assert command is not None
        given = [folder, *(["--port", str(port)] if port is not None else []), *["--json"] * as_json, *["--quiet"] * quiet]
        with command.make_context("serve", given, parent=context) as asked:
            command.invoke(asked)
