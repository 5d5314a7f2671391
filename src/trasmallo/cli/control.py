"""Commands that steer a run from another terminal."""

from __future__ import annotations

import click

from trasmallo.cli.output import folder_argument, print_json, print_json_lines, print_table, with_output, with_rows


@click.command("stop", epilog="Example: trasmallo stop mycorpus")
@folder_argument
@click.option("--now", is_flag=True, help="Finish at once; what was stored and not analysed waits for the next run.")
@with_output
def stop_command(folder: str, now: bool, as_json: bool, quiet: bool) -> None:
    """Stop the downloads of a run and have it analyse what is there. It can be resumed."""
    from trasmallo.project.project import Project

    _tell(Project.open(folder).stop(at_once=now), "finishes" if now else "stops its downloads", as_json=as_json, quiet=quiet)


@click.command("pause", epilog="Example: trasmallo pause mycorpus")
@folder_argument
@with_output
def pause_command(folder: str, as_json: bool, quiet: bool) -> None:
    """Pause the downloads of a run; it goes on analysing."""
    from trasmallo.project.project import Project

    _tell(Project.open(folder).pause(), "pauses", as_json=as_json, quiet=quiet)


@click.command("resume", epilog="Example: trasmallo resume mycorpus")
@folder_argument
@with_output
def resume_command(folder: str, as_json: bool, quiet: bool) -> None:
    """Have a run that was paused go on."""
    from trasmallo.project.project import Project

    _tell(Project.open(folder).pause(paused=False), "goes on", as_json=as_json, quiet=quiet)


@click.command("pending", epilog="Example: trasmallo pending mycorpus news --host https://example.org")
@folder_argument
@click.argument("text", default="", metavar="[TEXT]")
@click.option("--host", default="", metavar="HOST", help="Only of this host, as `status` writes it, in its order.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 100_000), metavar="N", help="At most N.")
@with_rows
def pending_command(folder: str, text: str, host: str, limit: int, as_json: bool, quiet: bool) -> None:
    """Show addresses that wait to be asked for, those with TEXT in them, with their score and what it is made of."""
    from trasmallo.project.project import Project

    seen = Project.open(folder).pending(text, host=host, limit=limit)
    if as_json:
        print_json_lines(seen.found)
        return
    caption = "" if quiet else f"{seen.matching:,} of {seen.read:,} addresses" + ("" if seen.complete else ", and more")
    rows = ((each.url, each.depth, each.reached, each.score, each.why) for each in seen.found)
    print_table(("address", "depth", "reached by", "score", "why"), rows, caption=caption)


@click.command("retry", epilog="Example: trasmallo retry mycorpus --what 'timed out' && trasmallo run mycorpus")
@folder_argument
@click.argument("urls", nargs=-1, metavar="[URL]...")
@click.option("--what", default="", metavar="KIND", help="Only what ended so, as `incidents` writes it.")
@click.option("--text", default="", metavar="TEXT", help="Only with TEXT in the address or the cause.")
@with_output
def retry_command(folder: str, urls: tuple[str, ...], what: str, text: str, as_json: bool, quiet: bool) -> None:
    """Have addresses asked for again that failed in the latest run: these, or all.

    A run that is at work takes them up at once; else `trasmallo run` goes on with them, also when the run was finished.
    """
    from trasmallo.project.project import Project

    told = Project.open(folder).retry(*urls, what=what, text=text)
    if as_json:
        print_json(told)
    elif not quiet:
        how = f"The run (process {told.process}) takes them up." if told.process else f"Go on with: trasmallo run {folder}"
        click.echo(f"Addresses of {told.run} to be tried again: {told.addresses:,}. {how}")


def _tell(process: int, what: str, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json({"process": process})
    elif not quiet:
        click.echo(f"The run (process {process}) {what}.")
