"""Messages between processes of ours over pipes: length-prefixed msgpack, no pickles.

A process that has read hostile files may say anything: what it says is decoded into known structs or refused.
"""

from __future__ import annotations

import struct
from typing import BinaryIO, NoReturn

import msgspec

from trasmallo.values import errors
from trasmallo.values.errors import ProjectError, TrasmalloError
from trasmallo.values.messages import Message

HEAD = struct.Struct("<I")
"""Length of the message that follows, in bytes."""

LONGEST_MESSAGE = 1 << 24
"""Bytes; what our programs say is a tenth of it."""

_encoder = msgspec.msgpack.Encoder()


class Sentence(msgspec.Struct, frozen=True):
    """A message as it travels: finished, and with what it was made of."""

    text: str
    code: str
    arguments: dict[str, str | int | float | Sentence]

    @classmethod
    def of(cls, message: Message) -> Sentence:
        """A message to send."""
        return cls(str(message), message.code, {name: _sent(value) for name, value in message.arguments.items()})

    def message(self) -> Message:
        """The message that was sent."""
        values = {name: value.message() if isinstance(value, Sentence) else value for name, value in self.arguments.items()}
        return Message.restored(self.text, self.code, values)


class Trouble(msgspec.Struct, frozen=True, tag=True):
    """The project's misfortune, met by another process: the name of the error, problem and repair."""

    error: str
    problem: Sentence
    repair: Sentence

    @classmethod
    def of(cls, error: TrasmalloError) -> Trouble:
        """An error as it travels."""
        return cls(type(error).__name__, *map(Sentence.of, error.said))

    def throw(self) -> NoReturn:
        """Raise the error here: a process's misfortune is the project's."""
        kind = getattr(errors, self.error, ProjectError)
        raise kind(self.problem.message(), self.repair.message())


def _sent(value: str | int | float) -> str | int | float | Sentence:
    return Sentence.of(value) if isinstance(value, Message) else value


def encode(message: msgspec.Struct) -> bytes:
    """A message with its length in front."""
    body = _encoder.encode(message)
    return HEAD.pack(len(body)) + body


def read_message(pipe: BinaryIO) -> bytes | None:
    """The next message of a pipe that is read by waiting; None at its end."""
    head = pipe.read(HEAD.size)
    return pipe.read(HEAD.unpack(head)[0]) if len(head) == HEAD.size else None
