"""From host names to the addresses that may be connected to.

An answer of the DNS is hostile: it may point at this machine or at the network behind the firewall. The address that was
checked is the address that is connected to, and it is not asked for again in between, so rebinding a name gains nothing. Which
private ones may be asked is for `permissions` to say.
"""

from __future__ import annotations

import asyncio
import functools
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import NoReturn

from trasmallo.crawl.fetch.misfortune import Misfortune
from trasmallo.crawl.fetch.network import WITNESS, may_be_public
from trasmallo.values.model import Outcome

Resolver = Callable[[str], Awaitable[Sequence[str]]]
"""Asks the DNS: a host name in ASCII to its addresses as text; raises OSError when there are none."""

Permits = Callable[[str], bool]
"""Whether a private address may be connected to."""

# Where clouds keep their secrets, beside link-local addresses; Azure's host agent answers on a public one.
_METADATA = frozenset(map(ip_address, ("168.63.129.16", "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254")))
_NAT64 = IPv6Network("64:ff9b::/96")
_LOCAL_NAT64 = IPv6Network("64:ff9b:1::/48")
_DOCUMENTATION = IPv6Network("3fff::/20")  # RFC 9637, which Python 3.11 does not know
# The C library tells no time to live; five minutes is the usual one of sites that move.
_KEEP, _KEEP_MISSING, _KEEP_UNSURE = 300.0, 60.0, 5.0
_MOST_HOSTS = 100_000  # judgement: names remembered, some 20 MB
_MOST_ADDRESSES = 16  # judgement: addresses of one name that are tried
_LOCAL_NAMES = (".localhost", ".local", ".internal", ".home.arpa")


@functools.lru_cache(maxsize=4096)
def is_private(address: str) -> bool:
    """Whether an address is private, loopback, link-local, multicast, reserved or metadata, or leads to such a one."""
    return _is_private(ip_address(address.partition("%")[0]))


def is_for_machines(address: str) -> bool:
    """Whether no name is expected to lead to an address: unspecified, link-local, multicast, or a cloud's metadata."""
    plain = ip_address(address.partition("%")[0])
    found = embedded(plain) or plain
    return found.is_unspecified or found.is_link_local or found.is_multicast or found in _METADATA


def _is_private(address: IPv4Address | IPv6Address) -> bool:
    if (inner := embedded(address)) is not None:
        return _is_private(inner)
    if isinstance(address, IPv6Address) and (address.is_site_local or address in _LOCAL_NAT64 or address in _DOCUMENTATION):
        return True
    return not address.is_global or address.is_multicast or address.is_reserved or address in _METADATA


def embedded(address: IPv4Address | IPv6Address) -> IPv4Address | None:
    """The IPv4 address that packets to an IPv6 address end at, None when there is none (RFC 4291, 6052, 3056)."""
    if isinstance(address, IPv4Address):
        return None
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.sixtofour


def is_local_name(host: str) -> bool:
    """Whether a host, without asking the DNS, is a private address or a name that never leaves the local network."""
    try:
        return is_private(host)
    except ValueError:
        name = host.rstrip(".")
        return "." not in name or name.endswith(_LOCAL_NAMES)


def is_loopback(host: str) -> bool:
    """Whether a host, without asking the DNS, is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        name = host.rstrip(".")
        return name == "localhost" or name.endswith(".localhost")


def alternate(addresses: Iterable[str]) -> tuple[str, ...]:
    """Addresses with the two families in turn, so that a broken IPv6 costs one attempt only (RFC 8305, section 4)."""
    rest = list(dict.fromkeys(addresses))
    if not rest:
        return ()
    first = [a for a in rest if (":" in a) == (":" in rest[0])]
    other = [a for a in rest if (":" in a) != (":" in rest[0])]
    turns = [a for pair in zip(first, other, strict=False) for a in pair]
    return tuple(turns + first[len(other) :] + other[len(first) :])


class SystemResolver:
    """The C library's resolver in its own threads: uvloop has four for everything, and a dead name server takes long."""

    def __init__(self, threads: int = 16) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="dns")

    async def __call__(self, host: str) -> Sequence[str]:
        """The addresses of a host; raises OSError."""
        # Bytes go to the C library as they are; a str would go through Python's outdated IDNA codec.
        ask = functools.partial(socket.getaddrinfo, host.encode("ascii"), None, type=socket.SOCK_STREAM)
        rows = await asyncio.get_running_loop().run_in_executor(self._threads, ask)
        return [str(row[4][0]) for row in rows]

    def close(self) -> None:
        """Let go of the threads; one that waits for a name server ends when that answers."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class Addresses:
    """The DNS cache: 100,000 hosts at most (about 40 MB), each kept for minutes; requests for one host share one question."""

    def __init__(self, resolver: Resolver | None = None) -> None:
        self._system: SystemResolver | None = None
        if resolver is None:
            resolver = self._system = SystemResolver()
        self._resolve = resolver
        self._known: dict[str, tuple[float, tuple[str, ...], Misfortune | None]] = {}
        self._asked: dict[str, asyncio.Task[tuple[str, ...]]] = {}
        self._has_found = False

    async def find(self, host: str, permits: Permits) -> tuple[str, ...]:
        """Addresses that a host may be asked at, best first; none when all are private and not permitted.

        Raises `Misfortune` NO_HOST or NO_NETWORK.
        """
        return tuple(address for address in await self.find_all(host) if not is_private(address) or permits(address))

    async def find_all(self, host: str) -> tuple[str, ...]:
        """The addresses of a host, private ones too, best first, never empty; raises `Misfortune` NO_HOST or NO_NETWORK."""
        known = self._known.get(host)
        if known is None or known[0] < asyncio.get_running_loop().time():
            return await self._ask(host)
        if known[2] is not None:
            raise Misfortune(known[2].outcome, known[2].cause)
        return known[1]

    def awaits(self, host: str) -> bool:
        """Whether the DNS has not answered for a host yet."""
        return host in self._asked

    def prefer(self, host: str, address: str) -> None:
        """Put the address that could be connected to in front."""
        known = self._known.get(host)
        if known is not None and address in known[1] and known[1][0] != address:
            rest = tuple(a for a in known[1] if a != address)
            self._known[host] = (known[0], (address, *rest), None)

    async def close(self) -> None:
        """Stop the questions that are still out."""
        tasks = list(self._asked.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._system is not None:
            self._system.close()

    async def _ask(self, host: str) -> tuple[str, ...]:
        task = self._asked.get(host)
        if task is None:
            task = self._asked[host] = asyncio.get_running_loop().create_task(self._answer(host))
            task.add_done_callback(functools.partial(self._answered, host))
        # Shielded: who gives up must not take the answer away from the others.
        return await asyncio.shield(task)

    def _answered(self, host: str, task: asyncio.Task[tuple[str, ...]]) -> None:
        self._asked.pop(host, None)
        if not task.cancelled():
            task.exception()  # everybody who asked may have gone; asyncio would complain

    async def _answer(self, host: str) -> tuple[str, ...]:
        try:
            found = _readable([host]) or await self._resolve(host)
        except OSError as error:
            self._fail(host, *await self._explain(host, error))
        plain = alternate(_readable(found))[:_MOST_ADDRESSES]
        if not plain:
            self._fail(host, Misfortune(Outcome.NO_HOST, f"{host} has no address"), _KEEP_MISSING)
        self._has_found = self._has_found or may_be_public(host)
        self._keep(host, _KEEP, plain, None)
        return plain

    async def _explain(self, host: str, error: OSError) -> tuple[Misfortune, float]:
        """What a failed question means, and for how many seconds it is believed."""
        silent = isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN
        if may_be_public(host) and (silent or not self._has_found) and not await self._finds_others(host):
            return Misfortune(Outcome.NO_NETWORK, f"no name can be looked up from here, {host} neither"), _KEEP_UNSURE
        if silent:
            return Misfortune(Outcome.NO_HOST, f"the name server does not answer for {host}"), _KEEP_UNSURE
        return Misfortune(Outcome.NO_HOST, f"{host} does not exist"), _KEEP_MISSING

    async def finds_others(self, host: str, seconds: float) -> bool:
        """Whether a name that always exists is found within some seconds; True where only this network can know the host."""
        try:
            async with asyncio.timeout(seconds):
                return not may_be_public(host) or await self._finds_others(host)
        except TimeoutError:
            return False

    async def _finds_others(self, host: str) -> bool:
        """Whether a name is found that always exists."""
        try:
            return host != WITNESS and bool(await self.find_all(WITNESS))
        except Misfortune:
            return False

    def _fail(self, host: str, misfortune: Misfortune, keep: float) -> NoReturn:
        self._keep(host, keep, (), misfortune)
        raise misfortune

    def _keep(self, host: str, keep: float, addresses: tuple[str, ...], misfortune: Misfortune | None) -> None:
        self._known.pop(host, None)
        if len(self._known) >= _MOST_HOSTS:
            del self._known[next(iter(self._known))]
        self._known[host] = (asyncio.get_running_loop().time() + keep, addresses, misfortune)


def _readable(found: Sequence[str]) -> list[str]:
    """Those that are addresses at all; a host that is one itself needs no question."""
    good = []
    for address in found:
        try:
            ip_address(address.partition("%")[0])
        except ValueError:
            continue
        good.append(address)
    return good
