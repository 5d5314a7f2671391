"""Soft 404: a host answers an address that cannot exist as if it did, with a page that says so or a redirect to another.

What it answers is found out by a probe, an address beside a suspected one with a name that nobody gives (Bar-Yossef, Broder,
Kumar and Tomkins, "Sic transit gloria telae", WWW 2004). A page is a soft 404 when it says what the answer to the probe says,
and nothing else: pairs of words outside of links, as `traps.novelty` reads them. A sentence of its own makes it content.
"""

from __future__ import annotations

import re
from array import array
from hashlib import blake2b
from urllib.parse import urlsplit

import msgspec

from trasmallo.crawl.outcomes import location_of
from trasmallo.crawl.traps.novelty import words_of
from trasmallo.values.model import Response
from trasmallo.values.urls import host_key, resolve

_CONSONANTS = "bcdfghjklmnpqrst"
_OWN_PAIRS = 4
"""Pairs of words by which a page differs from the answer to the probe, so that it is one of its own: a sentence of five words
has four. `traps.novelty` calls a page new by as many."""

_FEWEST_PAIRS = 4  # judgement: pairs of an answer that can be told from another: "Page not found, go back home" has five
_LONGER = 1.3  # judgement: times that answers which say the same differ in length, for what stands in links beside it
_ENDING = re.compile(r"\.[A-Za-z0-9]{1,5}$")
_JOINTS = re.compile(r"[-_+.~]")


class ProbeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a host answered to a probe, as a run keeps it.

    `location` is where a redirect leads. `pairs` are 32-bit hashes of pairs of words, in order, b"" when there is nothing to
    compare; `length` is that of the answer in octets; `echoes` when it repeats the address, whose words are left out then.
    """

    host: str
    url: str
    status: int
    location: str = ""
    length: int = 0
    pairs: bytes = b""
    echoes: bool = False

    @property
    def is_soft(self) -> bool:
        """Whether the host says of an address that cannot exist that all is well, in a way that can be recognised."""
        return bool(self.pairs or self.location)

    def redirects_like(self, answer: Response) -> bool:
        """Whether a redirect leads where addresses that do not exist lead."""
        return bool(self.location) and location_of(answer) == self.location

    def says_like(self, answer: Response) -> bool:
        """Whether a page says what the answer to the probe says, and nothing of its own."""
        length = len(answer.content)
        if not self.pairs or length > self.length * _LONGER + 512 or self.length > length * _LONGER + 512:
            return False
        own, theirs = _pairs(answer.content, answer.url if self.echoes else ""), frozenset(array("I", self.pairs))
        return len(own - theirs) < _OWN_PAIRS and len(theirs - own) < _OWN_PAIRS


def probe_of(url: str) -> str:
    """An address beside another that cannot exist; the same name in every session of a host."""
    host, path = host_key(url), urlsplit(url).path
    name = "".join(
        _CONSONANTS[octet >> 4] + _CONSONANTS[octet & 15] for octet in blake2b(host.encode(), digest_size=8).digest()
    )
    folder = path.endswith("/")
    above, _, last = path.rstrip("/").rpartition("/")
    ending = _ENDING.search(last)
    return f"{host}{above}/{name}" + ("/" if folder and last else ending[0] if ending else "")


def read_probe(url: str, answer: Response) -> ProbeAnswer | None:
    """What a host says of an address that cannot exist; None when its answer tells nothing: an error that may pass."""
    status, host = answer.status, host_key(url)
    if status in (404, 410):
        return ProbeAnswer(host=host, url=url, status=status)
    if 300 <= status < 400:
        return ProbeAnswer(host=host, url=url, status=status, location=_elsewhere(url, answer))
    if not 200 <= status < 300:
        return None
    name = urlsplit(url).path.rstrip("/").rpartition("/")[2].partition(".")[0]
    echoes = name.encode() in answer.content.lower()
    pairs = _pairs(answer.content, url if echoes else "")
    return ProbeAnswer(
        host=host,
        url=url,
        status=status,
        length=len(answer.content),
        pairs=array("I", sorted(pairs)).tobytes() if len(pairs) >= _FEWEST_PAIRS else b"",
        echoes=echoes,
    )


def _elsewhere(url: str, answer: Response) -> str:
    """Where an answer leads, unless it takes the address along: then it is the same one by another name."""
    location = location_of(answer)
    name = urlsplit(url).path.rstrip("/").rpartition("/")[2]
    return "" if name in location else (resolve(url, location) or "") if location else ""


def _pairs(content: bytes, url: str) -> frozenset[int]:
    """The pairs of words of a page but for those of an address that it may repeat, its title's words among them."""
    return words_of(content, _JOINTS.sub("/", url)).pairs
