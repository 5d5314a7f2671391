"""Families of a host's pages that bring nothing new: a web that is made up goes on for ever and repeats itself.

Pages whose addresses are made alike (`shapes.family_of`) are a family; those of families with at most eight pages are taken
together, since a made-up web may have folders without end. Each page is looked at as it comes, one of 16 where each says
something new (`novelty`). When 24 in a row say what others said and lead nowhere else, the family is endless: its pages may
lead to no more of them. Elsewhere is a family whose pages say something new, or lead to such a one in turn. An archive of many
thousand articles goes on, for each of them is new; so does a long list, for it leads to pages of another family. What pages
outside of the family lead to is asked for as ever.

Memory: 2 kB and some hundred bytes for a family of more than eight pages, of at most 64 families a host; 2 kB for the texts of
a host that has such a family, and 36 for the barren pages of its small ones. All of them together have 8 MB; the hosts that
were in turn longest ago are forgotten first.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec
import xxhash

from trasmallo.crawl.traps.novelty import Memory, middle_of, words_of
from trasmallo.crawl.traps.shapes import coarser_family, family_of

_FEW, _FEW_OF_HOST = 8, 24
"""Pages of a family before it is looked at by itself, and of a host before any is: most are small."""
_IN_A_ROW = 24  # judgement: an honest site hardly has so many pages in a row without a word or a link of their own
_SILENT = 6  # judgement: in a row that say nothing new; then only what a family leads to speaks for it
_STEPS = 3
"""Families of lists between a list and pages that say something. Judgement: countries, authors, books."""
_PROVEN = 2  # judgement: in a row that say something new, after which samples will do
_SAMPLED, _SAMPLED_MIXED = 16, 8
"""Of a proven family one page of so many is looked at, which is dear; so 40 pages bring nothing new before it is endless."""
_MOST_FAMILIES = 64  # judgement: of a host that are told apart
_MOST_LEADS = 8  # judgement: families that a page leads to and that are remembered
_MOST_BARREN = 1_024  # judgement: pages of small families that brought nothing, the last ones of a host
_TEXT_BITS = 16_384  # judgement: 2 kB, for 4,096 texts of a host until a quarter of the bits is set; then they are forgotten
_MOST_BYTES = 8_000_000  # judgement: enough for ten families of three hundred hosts, whose others are small
_BYTES_OF_A_FAMILY = 300  # judgement: about what its objects take
_BYTES_OF_A_PAGE = 36  # of an int in a list


class Family(msgspec.Struct):
    """Pages of a family: how many came, how many in a row said something new (`fresh`) or not (`silent`), or brought nothing.

    `leads` are the families that the last page led to which led elsewhere; `is_mixed` is that of all small ones together;
    `is_read_whole` is one of which a page had a middle that was known, and was new all the same.
    """

    is_mixed: bool
    pages: int = 0
    fresh: int = 0
    silent: int = 0
    barren: int = 0
    endless: bool = False
    is_read_whole: bool = False
    leads: tuple[str, ...] = ()
    memory: Memory | None = None

    def needs_look(self, *, asked: bool) -> bool:
        """Whether its present page is worth the time; `asked` is whether it is the answer to parameters, which vary easily."""
        if not self.is_mixed and (self.pages <= _FEW or self.endless):
            return False
        sampled = _SAMPLED_MIXED if self.is_mixed else _SAMPLED
        return self.endless or asked or self.fresh < _PROVEN or not self.pages % sampled

    def count(self, *, says_more: bool, leads_elsewhere: bool) -> None:
        """One more page was looked at."""
        self.fresh = self.fresh + 1 if says_more else 0
        self.silent = 0 if says_more else self.silent + 1
        self.barren = 0 if says_more or leads_elsewhere else self.barren + 1
        self.endless |= self.barren >= _IN_A_ROW


class HostFamilies(msgspec.Struct):
    """The families of a host, the texts of its pages, and which pages of small families brought nothing."""

    families: dict[str, Family] = {}
    texts: bytearray = bytearray()
    ones: int = 0
    barren: list[int] = []
    weight: int = 0
    any_endless: bool = False
    pages: int = 0

    def key(self, url: str) -> str:
        """The family that an address counts for: its own, or all small ones together."""
        return self.judged(family_of(url))

    def judged(self, own: str) -> str:
        """The family that counts for the addresses of a family."""
        family = self.families.get(own)
        return own if family and not family.is_mixed and family.pages > _FEW else coarser_family(own)

    def knows_text(self, digest: int) -> bool:
        """Whether a page of this host had this text; from now on one has."""
        if not self.texts or self.ones > _TEXT_BITS // 4:
            self.texts, self.ones = bytearray(_TEXT_BITS // 8), 0
        place, bit = digest % _TEXT_BITS >> 3, 1 << (digest & 7)
        known = bool(self.texts[place] & bit)
        self.texts[place] |= bit
        self.ones += not known
        return known

    def speaks(self, keys: Collection[str], steps: int = _STEPS) -> bool:
        """Whether one of these families says something new, or leads to one that does; one without pages may."""
        known = [self.families.get(key) for key in keys]
        if any(family is None or family.silent < _SILENT for family in known):
            return True
        return bool(steps) and any(family is not None and self.speaks(family.leads, steps - 1) for family in known)

    def goes_on(self, url: str, via: str) -> bool:
        """Whether an address that a page leads to only goes on a family without end, both by the same judgement."""
        family, before = self.families.get(self.key(url)), self.families.get(self.key(via))
        if not (family and family.endless and before and before.endless):
            return False
        # Small families are judged together, but one that grows will be by itself; and some of their pages are honest.
        return not before.is_mixed or (family_of(url) != family_of(via) and _mark(via) in self.barren)


class Families(msgspec.Struct):
    """The families of all hosts."""

    hosts: dict[str, HostFamilies] = {}
    weight: int = 0

    def observe(self, url: str, content: bytes, found: Collection[str]) -> None:
        """A page has come; `found` are the addresses it leads to that its host's pages did not name lately."""
        host = self._host(url[: url.find("/", 8)])
        host.pages += 1
        own = family_of(url)
        mixed = coarser_family(own)
        if own != mixed:
            self._family(host, own, is_mixed=False).pages += 1
        key = host.judged(own)
        family = self._family(host, key, is_mixed=key == mixed)
        family.pages += family.is_mixed
        if host.pages > _FEW_OF_HOST and family.needs_look(asked="?" in url):
            self._look(host, family, key, url, content, found)

    def ends(self, url: str, via: str) -> str:
        """The family that an address would only go on, "" when it may be asked for."""
        slash = url.find("/", 8)
        host = self.hosts.get(url[:slash])
        if host is None or not host.any_endless or not via.startswith(url[: slash + 1]):
            return ""
        return host.key(url) if host.goes_on(url, via) else ""

    def _look(self, host: HostFamilies, family: Family, key: str, url: str, content: bytes, found: Collection[str]) -> None:
        says_more, is_binary = self._says_more(host, family, url, content), b"\0" in content[:1_000]
        leads = set() if says_more else _leads(url, host, found) - {key}
        leads_elsewhere = bool(leads) and host.speaks(leads)
        if leads_elsewhere:
            family.leads = tuple(sorted(leads)[:_MOST_LEADS])
        family.count(says_more=says_more or is_binary, leads_elsewhere=leads_elsewhere)
        if family.is_mixed and family.barren:
            host.barren = [*host.barren[1 - _MOST_BARREN :], _mark(url)]
        host.any_endless |= family.endless

    def _says_more(self, host: HostFamilies, family: Family, url: str, content: bytes) -> bool:
        """Whether a page says something new: its middle, or else all of it."""
        memory, middle = self._memory(host, family), b"" if family.is_read_whole else middle_of(content)
        if middle:
            said = words_of(middle, url)
            if memory.is_new_middle(said.pairs) and not host.knows_text(said.digest):
                return True
        said = words_of(content, url)
        says_more = memory.is_new(said.pairs) and not host.knows_text(said.digest)
        if says_more and middle:
            # What else its pages repeat was not remembered: none is proven by its middle any more.
            family.is_read_whole, family.fresh = True, 0
        return says_more

    def _memory(self, host: HostFamilies, family: Family) -> Memory:
        if family.memory is None:
            family.memory = Memory()
            shared = 0 if host.texts else _TEXT_BITS // 8 + _MOST_BARREN * _BYTES_OF_A_PAGE
            self._weigh(host, _memory_bytes(family) + shared)
        return family.memory

    def _family(self, host: HostFamilies, key: str, *, is_mixed: bool) -> Family:
        """A family of a host; the oldest of the small ones makes room for a new one."""
        if key in host.families:
            return host.families[key]
        if len(host.families) >= _MOST_FAMILIES:
            small = (name for name, family in host.families.items() if family.memory is None)
            gone = host.families.pop(next(small, next(iter(host.families))))
            self._weigh(host, -_BYTES_OF_A_FAMILY - _memory_bytes(gone))
        self._weigh(host, _BYTES_OF_A_FAMILY)
        return host.families.setdefault(key, Family(is_mixed))

    def _host(self, name: str) -> HostFamilies:
        """What is known of a host, which becomes the youngest."""
        host = self.hosts.pop(name, None) or HostFamilies()
        while self.hosts and self.weight > _MOST_BYTES:
            self.weight -= self.hosts.pop(next(iter(self.hosts))).weight
        self.hosts[name] = host
        return host

    def _weigh(self, host: HostFamilies, change: int) -> None:
        host.weight += change
        self.weight += change


def _memory_bytes(family: Family) -> int:
    return len(family.memory.recent) + len(family.memory.older) if family.memory else 0


def _leads(url: str, host: HostFamilies, found: Collection[str]) -> set[str]:
    """The families that a page leads to, other hosts by their names."""
    home = url[: url.find("/", 8) + 1]
    own = {host.key(link) for link in found if link.startswith(home)}
    # With parameters a link to another host mostly tells of this page: share, log in, translate.
    return own | {link[: link.find("/", 8)] for link in found if not link.startswith(home) and "?" not in link}


def _mark(url: str) -> int:
    return xxhash.xxh3_64_intdigest(url.encode())
