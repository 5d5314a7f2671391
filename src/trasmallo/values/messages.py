"""Sentences for people that remember how they were made, so that they can be said in another language.

The code of a sentence is its English text with names where values stand, such as `there is no run {name!r}`: it is written
where the sentence is made, so the two cannot drift apart, and a translation is looked up by it. The arguments are the values
by name; a value may be a sentence too. `!r`, `!a` and a format such as `:,` mean what they mean to Python; any other brace,
as in `{0,3}`, stands for itself. An error takes the codes of its problem and its repair, and the values of both:

    raise NotFound("there is no run {name!r}", "choose one of {runs}", name=name, runs=", ".join(runs))
    raise StoreFull("cannot write {path}: {why}", "free some space", path=path, why=Message("the disk is full"))
"""

from __future__ import annotations

import re
from collections.abc import Mapping

Plain = str | int | float
"""What an argument can be; other values are kept as their texts."""

_PLACE = re.compile(r"\{([a-z]\w*)(![ar])?(?::([^{}]*))?\}")
_CONVERSIONS = {"!r": repr, "!a": ascii}


class Message(str):
    """A finished sentence in English, with its code and the arguments that it uses."""

    __slots__ = ("arguments", "code")
    code: str
    arguments: Mapping[str, Plain]

    def __new__(cls, code: str, /, **arguments: object) -> Message:
        """The sentence of a code, which stays as it is when it is finished already."""
        if isinstance(code, Message):
            return code
        used = {name: _plain(arguments[name]) for name in places(code) if name in arguments}
        return cls.restored(fill(code, used), code, used)

    @classmethod
    def restored(cls, text: str, code: str, arguments: Mapping[str, Plain]) -> Message:
        """A sentence that was finished elsewhere: its code is not trusted to be filled in again."""
        message = super().__new__(cls, text)
        message.code, message.arguments = code, arguments
        return message

    def __reduce__(self) -> tuple[object, tuple[str, str, Mapping[str, Plain]]]:
        """Travel between processes, with code and arguments."""
        return Message.restored, (str(self), self.code, self.arguments)


def places(code: str) -> tuple[str, ...]:
    """The names of the values that a sentence has, in order."""
    return tuple(found[1] for found in _PLACE.finditer(code))


def fill(code: str, values: Mapping[str, Plain]) -> str:
    """A sentence with its values; a name without a value stands for itself."""
    return _PLACE.sub(lambda place: _shown(place, values), code)


def _shown(place: re.Match[str], values: Mapping[str, Plain]) -> str:
    name, conversion, form = place.groups()
    if name not in values:
        return place[0]
    value = values[name]
    return format(_CONVERSIONS[conversion](value) if conversion else value, form or "")


def _plain(value: object) -> Plain:
    return value if isinstance(value, str | int | float) else str(value)
