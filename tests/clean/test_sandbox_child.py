"""The child as a program: what it is asked over its input, it answers over its output."""

from __future__ import annotations

import subprocess
import sys

import msgspec

from trasmallo.clean.formats.readers import Converted
from trasmallo.clean.sandbox import HEAD, OUT_OF_MEMORY, Request, SandboxLimits

PROGRAM = (sys.executable, "-P", "-m", "trasmallo.clean.sandbox_child")


def asked(*documents: tuple[str, bytes], limits: SandboxLimits = SandboxLimits()) -> tuple[int, list[Converted]]:  # noqa: B008 - frozen
    said = b""
    for media, content in documents:
        request = msgspec.msgpack.encode(Request(media, "", "", limits))
        said += HEAD.pack(len(request), len(content)) + request + content
    done = subprocess.run(PROGRAM, input=said, capture_output=True, check=False)
    return done.returncode, list(_answers(done.stdout))


def _answers(said: bytes) -> list[Converted]:
    found = []
    assert said.startswith(HEAD.pack(0, 0)), "it says when it has started"
    said = said[HEAD.size :]
    while said:
        length, _ = HEAD.unpack(said[: HEAD.size])
        found.append(msgspec.msgpack.decode(said[HEAD.size : HEAD.size + length], type=Converted))
        said = said[HEAD.size + length :]
    return found


def test_it_answers_in_order_and_ends_with_its_input() -> None:
    code, answers = asked(("text/markdown", b"# uno"), ("text/csv", b"dos,tres"), ("application/pdf", b"%PDF-"))

    assert code == 0
    assert ["uno" in answers[0].html, "tres" in answers[1].html, "damaged" in answers[2].cause] == [True] * 3


def test_half_a_request_is_the_end() -> None:
    done = subprocess.run(PROGRAM, input=b"\1\0", capture_output=True, check=False)

    assert (done.returncode, done.stdout) == (0, HEAD.pack(0, 0))


def test_too_little_memory_is_an_answer_or_an_exit() -> None:
    code, answers = asked(("text/csv", b"a,b\n" * 5_000_000), limits=SandboxLimits(megabytes=120))

    assert code == OUT_OF_MEMORY or answers[0].cause == "more than 120 MB to convert"
