"""What a value must be, said to people: made of what msgspec says of a value that does not fit its type."""

from __future__ import annotations

import re
from collections.abc import Mapping

from trasmallo.values.messages import Message

_KINDS = {
    "int": Message("a whole number"),
    "float": Message("a number"),
    "str": Message("a text"),
    "bool": Message("true or false"),
    "array": Message("a list"),
    "object": Message("a section"),
}
_BOUNDS = {
    ">=": lambda kind, number: Message("{kind} of at least {number}", kind=kind, number=number),
    "<=": lambda kind, number: Message("{kind} of at most {number}", kind=kind, number=number),
    ">": lambda kind, number: Message("{kind} greater than {number}", kind=kind, number=number),
    "<": lambda kind, number: Message("{kind} less than {number}", kind=kind, number=number),
}
_LENGTHS = {
    "<=": lambda kind, number: Message("{kind} with at most {number:,} characters or items", kind=kind, number=number),
    ">=": lambda kind, number: Message("{kind} with at least {number:,} characters or items", kind=kind, number=number),
}
_SAID = re.compile(r"Expected `(\w+)`(?: of length)?(?: ([<>]=?) (\S+?))?(?:,? .*)?")


def expected(said: str, patterns: Mapping[str, Message] | None = None) -> Message:
    """What was expected, of msgspec's "Expected `int` >= 1"; `patterns` says in words what texts match each expression."""
    for pattern, words in (patterns or {}).items():
        if said.endswith(f"matching regex {pattern!r}"):
            return words
    found = _SAID.fullmatch(said)
    if not found or found[1] not in _KINDS:
        return Message("something else")
    kind, sign, number = found.groups()
    if not sign:
        return _KINDS[kind]
    bounds = _LENGTHS if " of length " in said else _BOUNDS
    return bounds[sign](_KINDS[kind], int(float(number)) if float(number).is_integer() else float(number))
