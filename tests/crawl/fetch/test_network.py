"""Whose fault it is that a server cannot be had."""

from __future__ import annotations

import socket

import pytest

from trasmallo.crawl.fetch.network import WITNESS, has_route, may_be_public


@pytest.mark.parametrize("host", ["example.org", "a.b.example.com", "EXAMPLE.ES.", WITNESS])
def test_names_of_the_public_dns(host: str) -> None:
    assert may_be_public(host)


@pytest.mark.parametrize(
    "host", ["localhost", "intranet", "nowhere.invalid", "a.test", "x.Example.", "printer.local", "a.onion"]
)
def test_names_that_the_public_dns_never_has(host: str) -> None:
    assert not may_be_public(host)


def test_a_machine_without_routes_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert not has_route()
    monkeypatch.setattr(socket.socket, "connect", lambda *_: None)
    assert has_route()
