from __future__ import annotations

from trasmallo.web.views import FAMILIES, all_pages


def test_no_two_pages_have_one_address() -> None:
    addresses = [(page.method, page.path) for page in all_pages()]
    assert len(set(addresses)) == len(addresses)
    assert len(addresses) == sum(len(family.all) for family in FAMILIES)
