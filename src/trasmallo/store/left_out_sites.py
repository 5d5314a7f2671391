"""The sites that somebody took out of a collection: a file of the project that every run follows, and that can be taken back.

What is stored of a site stays. Its pages count as gone in the results of the next run, with a cause of their own, and it is not
asked for.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import StoreDamaged
from trasmallo.values.sealed_json import decode_sealed, encode_sealed

FILE = "left-out-sites.json"
TAKEN_OUT = "site taken out"
"""The cause in the table `gone` of pages whose site was taken out."""


class LeftOutSite(msgspec.Struct, frozen=True):
    """A site, by its host, and since when it is taken out, in seconds since 1970."""

    host: str
    since: float


class _Listed(msgspec.Struct, frozen=True):
    """What the file holds, with a digest of it; the first version was the bare list."""

    sites: list[LeftOutSite]


def left_out_sites(project: Path) -> dict[str, LeftOutSite]:
    """The sites that are taken out of a project, by their hosts; raises StoreDamaged for a file that cannot be read."""
    path = project / FILE
    try:
        content = path.read_bytes()
        bare = content.lstrip().startswith(b"[")
        if bare:
            found = msgspec.json.decode(content, type=decodable(list[LeftOutSite]))
        else:
            found = decode_sealed(content, _Listed).sites
    except FileNotFoundError:
        return {}
    except UNDECODABLE as error:
        repair = "bring it back from a copy, or remove it: then all sites count again"
        raise StoreDamaged("{path} is damaged ({error})", repair, path=path, error=error) from None
    return {site.host: site for site in found}


def leave_out(project: Path, sites: dict[str, LeftOutSite]) -> None:
    """Say which sites are taken out from now on."""
    listed = sorted(sites.values(), key=lambda site: site.host)
    write_whole(project / FILE, msgspec.json.format(encode_sealed(_Listed(listed))), durable=True)


def beginnings(host: str) -> tuple[str, ...]:
    """How the addresses of a host begin."""
    return tuple(f"{scheme}://{host}{end}" for scheme in ("http", "https") for end in ("/", ":"))


def left_out_beginnings(project: Path) -> tuple[str, ...]:
    """How the addresses of all sites begin that are taken out of a project, for `str.startswith`."""
    return tuple(begin for host in left_out_sites(project) for begin in beginnings(host))
