"""Commands of a crawl that machines share: one joins it, the other shows where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import print_json, print_json_lines, print_table, with_either, with_output

if TYPE_CHECKING:
    from trasmallo.crawl.shared.cluster_status import ClusterStatus
    from trasmallo.events import Event


@click.command("worker", epilog="Example: trasmallo worker postgresql://corpus@first.example/corpus --lines 50")
@click.argument("address", metavar="ADDRESS")
@click.option(
    "--lines", default=0, type=click.IntRange(0, 2_000), metavar="N", help="Simultaneous downloads; 0: as the project."
)
@with_output
def worker_command(address: str, lines: int, as_json: bool, quiet: bool) -> None:
    """Join the crawl whose database is at ADDRESS, until it is over or Ctrl-C; all it needs to know is there.

    Come and go as you like: what a worker leaves is taken up by the others.
    """
    from trasmallo.crawl.shared.database import shown_address
    from trasmallo.pipeline.shared_worker import WorkerOptions, run_worker, work

    if not (quiet or as_json):
        click.echo(f"Joins the crawl at {shown_address(address)}; Ctrl-C leaves it.")
    why = work(run_worker(WorkerOptions(address=address, lines=lines), _warn))
    if as_json:
        print_json({"ended": why})
    elif not quiet:
        click.echo(f"Left: {why}.")


def _warn(event: Event) -> None:
    from trasmallo.events import Warned

    if isinstance(event, Warned):
        click.echo(event.message, err=True)


@click.command("cluster", epilog="Example: trasmallo cluster mycorpus")
@click.argument("place", metavar="DIR|ADDRESS")
@click.option("--pages", default=0, type=click.IntRange(0, 10**5), metavar="N", help="Show the newest rows of its catalog.")
@click.option("--text", default="", metavar="TEXT", help="Of these only with TEXT in the address.")
@with_either("--pages")
def cluster_command(place: str, pages: int, text: str, as_json: bool, quiet: bool) -> None:
    """Show the machines that share a crawl: workers, leases, rates, and why some idle."""
    from trasmallo.crawl.shared.cluster_status import read_catalog, read_status
    from trasmallo.project.project import Project

    address = place if "://" in place else Project.open(place).shared_address()
    if pages:
        rows = read_catalog(address, text, pages)
        if as_json:
            print_json_lines(rows)
        else:
            print_table(
                ("address", "outcome", "status", "bytes"), ((row.url, row.outcome, row.status, row.size) for row in rows)
            )
    elif as_json:
        print_json(read_status(address))
    else:
        _print_status(read_status(address), quiet=quiet)


def _print_status(status: ClusterStatus, *, quiet: bool) -> None:
    columns = {
        "machine": "machine", "process": "process", "state": "state", "why idle": "idle", "lines": "lines", "at work": "busy",
        "leases": "leases", "rows": "rows", "rows/s": "rate", "lag": "lag", "silent s": "silent",
    }  # fmt: skip
    rows = (tuple(getattr(each, field) for field in columns.values()) for each in status.workers)
    print_table(tuple(columns), rows, title=f"{status.run}: {status.state}")
    if not quiet:
        click.echo(
            f"{status.waiting:,} of {status.known:,} addresses wait, {status.rate:g} rows/s, {status.lag:,} rows to collect; "
            f"imbalance by host hash {status.imbalance:g}"
        )
        limited = f", limited by {status.limited_by}" if status.limited_by else ""
        click.echo(f"{status.hosts_left:,} hosts left{limited} ({status.hosts_leased:,} leased, {status.hosts_due:,} due)")
