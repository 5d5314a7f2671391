"""Who may read: the algorithm of POSIX, compared with a plain statement of it, and the text of rights."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.values.access import EXECUTE, NOBODYS, READ, Access, Asker, access_of, access_text, may, written_rights

_OWNER, _MEMBER, _STRANGER = Asker(uid=10), Asker(uid=11, groups=frozenset({5})), Asker(uid=12)
_bits = st.integers(0, 7)


@pytest.mark.parametrize(
    ("mode", "allowed"), [(0o600, "o"), (0o640, "om"), (0o644, "oms"), (0o044, "ms"), (0o604, "os"), (0o000, "")]
)
def test_the_mode_decides_by_the_first_class_that_fits(mode: int, allowed: str) -> None:
    access = Access(uid=10, gid=5, mode=mode)
    assert [may(access, who) for who in (_OWNER, _MEMBER, _STRANGER)] == [letter in allowed for letter in "oms"]


def test_the_superuser_reads_everything() -> None:
    assert may(Access(uid=10, gid=5, mode=0, mailbox="ana"), Asker(uid=0, name="root"))


def test_a_mailbox_is_its_owners_alone() -> None:
    access = Access(uid=10, gid=5, mode=0o644, mailbox="ana")
    assert may(access, Asker(uid=10, name="ana"))
    assert not may(access, Asker(uid=12, name="berta"))
    assert not may(access, Asker(uid=10, name=""))


@given(_bits, _bits, _bits, _bits, _bits, _bits, st.booleans(), st.booleans(), st.booleans())
def test_entries_are_those_of_posix(
    owner: int, group: int, other: int, user: int, named: int, mask: int, is_user: bool, in_group: bool, in_named: bool
) -> None:
    acl = (f"user:20:{written_rights(user)}", f"group::{written_rights(group)}", f"group:6:{written_rights(named)}")
    access = Access(uid=10, gid=5, mode=owner << 6 | mask << 3 | other, acl=(*acl, f"mask::{written_rights(mask)}"))
    groups = frozenset({5} if in_group else ()) | frozenset({6} if in_named else ())
    asker = Asker(uid=20 if is_user else 30, groups=groups)
    for right in (READ, EXECUTE):
        if is_user:
            expected = user & mask & right
        elif groups:
            expected = (group & right if in_group else 0) | (named & right if in_named else 0)
            expected &= mask
        else:
            expected = other & right
        assert may(access, asker, right) == bool(expected)


@given(st.integers(0, 2**31), st.integers(0, 0o777), st.text(), st.lists(st.just("mask::r--")))
def test_the_text_tells_all_of_it(uid: int, mode: int, mailbox: str, acl: list[str]) -> None:
    access = Access(uid=uid, gid=uid, mode=mode, mailbox=mailbox, acl=tuple(acl), path="/a%20b")
    assert access_of(access_text(access)) == access


def test_what_is_public_has_no_text() -> None:
    assert access_text(None) == ""
    assert access_of("") is None


@pytest.mark.parametrize("text", ["{", "null", "[]", '{"uid":1}', '{"uid":"x","gid":1,"mode":2}', "\0"])
def test_rights_that_cannot_be_read_are_nobodys(text: str) -> None:
    assert access_of(text) == NOBODYS
    assert not may(NOBODYS, Asker(uid=10))
