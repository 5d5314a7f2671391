"""The command that writes the sitemap of a folder."""

from __future__ import annotations

import click

from trasmallo.cli.output import print_json, with_output


@click.command("sitemap", epilog="Example: trasmallo sitemap public_html --base https://example.org/")
@click.argument("folder", type=click.Path(file_okay=False), metavar="FOLDER")
@click.option("--base", required=True, metavar="URL", help="The address at which the folder is served.")
@click.option("--into", type=click.Path(file_okay=False), metavar="DIR", help="Write the files there instead of into FOLDER.")
@click.option("--gzip", "compress", is_flag=True, help="Pack the files (sitemap.xml.gz).")
@with_output
def sitemap_command(folder: str, base: str, into: str | None, compress: bool, as_json: bool, quiet: bool) -> None:
    """Write a sitemap of the documents in a folder, each with the time of its last change.

    Pictures, styles, programs and hidden files are passed over. More than 50,000 documents are several files with an index.
    """
    from trasmallo.crawl.discover.folder_sitemap import sitemap

    files = [str(path) for path in sitemap(folder, base, into, compress=compress)]
    if as_json:
        print_json({"files": files})
    elif not quiet:
        click.echo(f"Wrote {files[0]}" + (f" and {len(files) - 1} more." if len(files) > 1 else "."))
