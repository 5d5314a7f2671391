"""How a JavaScript function travels to a page and its answer comes back: as source and JSON, in every browser alike."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

SHAPE = """(async () => {
  try { return JSON.stringify({value: (await (%s)(...%s)) ?? null}); }
  catch (error) { return JSON.stringify({error: String(error) + "\\n" + (error?.stack ?? "")}); }
})()"""


class ScriptError(AssertionError):
    """A function threw in the page; the message and its stack."""


def call(function: str, arguments: Sequence[object]) -> str:
    """An expression whose promised value is the JSON text that `read_answer` understands."""
    return SHAPE % (function, json.dumps(arguments))


def read_answer(answer: str | None) -> Any:
    """The value, or `ScriptError`."""
    if answer is None:
        raise RuntimeError("the page's context is gone")
    read = json.loads(answer)
    if "error" in read:
        raise ScriptError(read["error"])
    return read["value"]
