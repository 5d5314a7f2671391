from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.crawl.fetch.addresses import (
    Addresses,
    SystemResolver,
    alternate,
    embedded,
    is_for_machines,
    is_local_name,
    is_loopback,
    is_private,
)
from trasmallo.crawl.fetch.misfortune import Misfortune
from trasmallo.crawl.fetch.network import WITNESS
from trasmallo.values.model import Outcome


class Dns:
    """A DNS of our own: what it is told, how often it was asked."""

    def __init__(self, *, online: bool = True, error: int = socket.EAI_NONAME, **known: list[str]) -> None:
        self.known = {name.replace("_", "."): found for name, found in known.items()} | (
            {WITNESS: ["1.2.3.4"]} if online else {}
        )
        self.error = error
        self.asked: list[str] = []

    async def __call__(self, host: str) -> Sequence[str]:
        self.asked.append(host)
        await asyncio.sleep(0)
        if host not in self.known:
            raise socket.gaierror(self.error, "unknown")
        return self.known[host]


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.1.2.3",
        "0.0.0.0",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
        "fec0::1",
        "2001:db8::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "::127.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "3fff::1",
        "3fff:fff:ffff::1",
        "2002:a00:1::1",
        "2001::1",
        "192.0.0.192",
        "100.127.255.254",
    ],
)
def test_addresses_that_are_not_for_the_public(address: str) -> None:
    assert is_private(address)


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101", "2002:101:101::"]
)
def test_public_addresses(address: str) -> None:
    assert not is_private(address)


@given(st.ip_addresses(v=4))
def test_an_address_inside_ipv6_is_judged_like_itself(address: IPv4Address) -> None:
    mapped = IPv6Address(0xFFFF_0000_0000 | int(address))
    assert is_private(str(mapped)) == is_private(str(address))


def test_addresses_that_no_name_leads_to() -> None:
    machines = (
        "169.254.169.254",
        "0.0.0.0",
        "224.0.0.1",
        "fe80::1%eth0",
        "fd00:ec2::254",
        "::ffff:169.254.1.1",
        "64:ff9b::a9fe:a9fe",
    )
    assert all(map(is_for_machines, machines))
    assert not any(map(is_for_machines, ("127.0.0.1", "10.0.0.1", "::1", "fd00::1", "1.1.1.1")))


def test_the_address_inside_an_address() -> None:
    inside = {"::ffff:10.0.0.1": "10.0.0.1", "64:ff9b::7f00:1": "127.0.0.1", "2002:7f00:1::": "127.0.0.1"}
    assert {address: str(embedded(ip_address(address))) for address in inside} == inside
    assert embedded(ip_address("::1")) is None
    assert embedded(ip_address("10.0.0.1")) is None


def test_what_is_permitted_is_found_beside_what_is_public() -> None:
    async def ask() -> tuple[str, ...]:
        addresses = Addresses(Dns(a_org=["10.0.0.1", "1.1.1.1", "10.0.0.2"]))
        found = await addresses.find("a.org", lambda address: address == "10.0.0.2")
        await addresses.close()
        return found

    assert asyncio.run(ask()) == ("1.1.1.1", "10.0.0.2")


def test_names_that_stay_in_the_house() -> None:
    assert all(map(is_local_name, ("localhost", "intranet", "a.localhost", "localhost.", "printer.local", "10.0.0.1", "::1")))
    assert not any(map(is_local_name, ("example.org", "localhost.org", "1.1.1.1")))
    assert all(map(is_loopback, ("localhost", "127.8.8.8", "::1", "x.localhost")))
    assert not any(map(is_loopback, ("example.org", "10.0.0.1")))


@given(st.lists(st.ip_addresses().map(str)))
def test_families_take_turns_and_nothing_is_lost(found: list[str]) -> None:
    turns = alternate(found)
    assert sorted(turns) == sorted(set(found))
    pairs = min(sum(":" in a for a in turns), sum(":" not in a for a in turns))
    assert all((":" in turns[2 * i]) != (":" in turns[2 * i + 1]) for i in range(pairs))


def find(addresses: Addresses, *hosts: str) -> list[tuple[str, ...] | Misfortune]:
    async def ask() -> list[tuple[str, ...] | Misfortune]:
        found = await asyncio.gather(*(addresses.find(host, lambda _: False) for host in hosts), return_exceptions=True)
        await addresses.close()
        return found  # type: ignore[return-value]

    return asyncio.run(ask())


def test_one_question_serves_everybody_who_asks() -> None:
    dns = Dns(a_org=["1.1.1.1"])
    assert find(Addresses(dns), "a.org", "a.org", "a.org") == [("1.1.1.1",)] * 3
    assert dns.asked == ["a.org"]


def test_an_address_is_its_own_answer() -> None:
    dns = Dns()
    assert find(Addresses(dns), "1.1.1.1") == [("1.1.1.1",)]
    assert dns.asked == []


def test_private_answers_are_refused_and_public_ones_beside_them_taken() -> None:
    dns = Dns(evil_org=["127.0.0.1", "::1"], mixed_org=["10.0.0.1", "1.1.1.1"], empty_org=[], odd_org=["nonsense"])
    evil, mixed, empty, odd, missing = find(Addresses(dns), "evil.org", "mixed.org", "empty.org", "odd.org", "missing.org")
    assert evil == ()
    assert mixed == ("1.1.1.1",)
    for nobody in (empty, odd, missing):
        assert isinstance(nobody, Misfortune)
        assert nobody.outcome is Outcome.NO_HOST


def test_a_host_that_is_missing_is_not_asked_for_again_at_once() -> None:
    dns = Dns()

    async def ask_twice() -> None:
        addresses = Addresses(dns)
        for _ in range(2):
            with pytest.raises(Misfortune, match=r"nowhere\.org does not exist"):
                await addresses.find_all("nowhere.org")
        await addresses.close()

    asyncio.run(ask_twice())
    assert dns.asked == ["nowhere.org", WITNESS]


@pytest.mark.parametrize("error", [socket.EAI_NONAME, socket.EAI_AGAIN])
def test_where_no_name_is_found_the_network_is_to_blame(error: int) -> None:
    dns = Dns(online=False, error=error)
    first, second, special = find(Addresses(dns), "a.org", "b.org", "nowhere.invalid")
    assert isinstance(first, Misfortune) and isinstance(second, Misfortune) and isinstance(special, Misfortune)
    assert (first.outcome, first.cause) == (Outcome.NO_NETWORK, "no name can be looked up from here, a.org neither")
    assert second.outcome is Outcome.NO_NETWORK
    assert special.outcome is Outcome.NO_HOST, "nobody has it, network or not"
    assert dns.asked.count(WITNESS) == 1


def test_a_name_that_is_not_there_is_told_so_once_others_were_found() -> None:
    dns = Dns(online=False, a_org=["1.1.1.1"])

    async def ask() -> None:
        addresses = Addresses(dns)
        await addresses.find_all("a.org")
        with pytest.raises(Misfortune, match=r"nowhere\.org does not exist"):
            await addresses.find_all("nowhere.org")
        dns.error = socket.EAI_AGAIN
        with pytest.raises(Misfortune, match=r"no name can be looked up from here, later\.org neither"):
            await addresses.find_all("later.org")
        dns.known[WITNESS] = ["1.2.3.4"]
        await addresses.close()
        addresses = Addresses(dns)
        with pytest.raises(Misfortune, match=r"the name server does not answer for odd\.org"):
            await addresses.find_all("odd.org")
        await addresses.close()

    asyncio.run(ask())


def test_a_rebound_name_keeps_the_address_that_was_checked() -> None:
    dns = Dns(evil_org=["1.1.1.1"])

    async def rebind() -> tuple[str, ...]:
        addresses = Addresses(dns)
        await addresses.find_all("evil.org")
        dns.known["evil.org"] = ["127.0.0.1"]
        found = await addresses.find_all("evil.org")
        await addresses.close()
        return found

    assert asyncio.run(rebind()) == ("1.1.1.1",)


def test_the_address_that_worked_comes_first_next_time() -> None:
    async def prefer() -> tuple[str, ...]:
        addresses = Addresses(Dns(a_org=["1.1.1.1", "1.0.0.1", "8.8.8.8"]))
        await addresses.find_all("a.org")
        addresses.prefer("a.org", "8.8.8.8")
        addresses.prefer("a.org", "9.9.9.9")
        found = await addresses.find_all("a.org")
        await addresses.close()
        return found

    assert asyncio.run(prefer()) == ("8.8.8.8", "1.1.1.1", "1.0.0.1")


def test_who_gives_up_does_not_take_the_answer_from_the_others() -> None:
    async def ask() -> tuple[str, ...]:
        addresses = Addresses(Dns(a_org=["1.1.1.1"]))
        hasty = asyncio.create_task(addresses.find_all("a.org"))
        patient = asyncio.create_task(addresses.find_all("a.org"))
        await asyncio.sleep(0)
        hasty.cancel()
        found = await patient
        assert hasty.cancelled()
        await addresses.close()
        return found

    assert asyncio.run(ask()) == ("1.1.1.1",)


def test_the_system_knows_this_machine_and_survives_nonsense() -> None:
    async def ask() -> Sequence[str]:
        resolver = SystemResolver(threads=1)
        with pytest.raises(OSError, match="Name"):
            await resolver("a" * 300)
        found = await resolver("localhost")
        resolver.close()
        return found

    assert set(asyncio.run(ask())) & {"127.0.0.1", "::1"}
