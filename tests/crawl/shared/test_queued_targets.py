"""Targets in columns come back as they were."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trasmallo.crawl.shared.queued_targets import about, columns_of, digest_of, signed, target_of, without
from trasmallo.values.model import Reached, Target

targets = st.builds(
    Target,
    st.sampled_from(["http://a.example/", "http://a.example/b", "https://c.example/d?e=f"]),
    st.integers(0, 99),
    st.integers(-9, 9),
    st.text(max_size=9),
    st.integers(0, 9),
    st.booleans(),
    st.text(max_size=9),
    st.sampled_from(list(Reached)),
)


@given(targets)
def test_a_target_comes_back(target: Target) -> None:
    assert target_of(target.url, target.depth, target.priority, about(target)) == target


@given(st.lists(targets, max_size=6))
def test_the_first_of_each_url_stays_in_order(given_targets: list[Target]) -> None:
    columns = columns_of(given_targets)
    assert columns.urls == list(dict.fromkeys(target.url for target in given_targets))
    first = {target.url: target for target in reversed(given_targets)}
    assert columns.depths == [first[url].depth for url in columns.urls]
    known = set(columns.digests[:1])
    assert without(columns, known).urls == columns.urls[len(known) :]


@given(st.integers(0, 2**64 - 1))
def test_64_bits_fit_a_bigint(number: int) -> None:
    assert -(2**63) <= signed(number) < 2**63
    assert signed(number) % 2**64 == number


def test_a_digest_is_that_of_every_machine() -> None:
    assert digest_of("http://a.example/") == digest_of("http://a.example/") != digest_of("http://a.example/b")
