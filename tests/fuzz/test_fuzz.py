"""Every target on some damaged inputs, the same ones each time, and on all that ever failed."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.mutation import LARGEST, minimise, mutate
from fuzz.target import Target
from fuzz.targets import Raised, kept, targets
from fuzz.trial import attempt
from trasmallo.clean.formats.registry import formats
from trasmallo.values.errors import UsageError

TARGETS = targets()
INPUTS = 15
"""Inputs of a target in these tests, which take a moment; `go.py fuzz` runs as many as there is time for."""


@pytest.mark.parametrize("name", TARGETS)
def test_good_and_damaged_input_ends_as_it_may(name: str) -> None:
    target, rng = TARGETS[name], random.Random(name)
    inputs = [*target.seeds, *(mutate(target.seeds, rng, target.words) for _ in range(INPUTS))]
    assert [fault for content in inputs if (fault := attempt(target, content))] == []


@pytest.mark.parametrize("name", TARGETS)
def test_what_once_failed_does_not_any_more(name: str) -> None:
    assert [fault for content in kept("failures", name) if (fault := attempt(TARGETS[name], content))] == []


def test_every_format_is_fuzzed_and_every_kept_input_has_its_target() -> None:
    assert {f"format-{entry.name}" for entry in formats()} <= set(TARGETS)
    folders = [path for folder in ("seeds", "failures") for path in (Path(__file__).parent / folder).glob("*/")]
    assert {path.name for path in folders} <= set(TARGETS)


def _picky(content: bytes) -> None:
    if b"bad" in content:
        raise KeyError("bad")
    if b"ours" in content:
        raise UsageError("it is ours", "do not")
    if b"caught" in content:
        raise Raised("ValueError: x")


def test_only_what_is_not_foreseen_is_a_fault_and_it_is_made_smaller() -> None:
    target = Target("picky", _picky, [b"good"])
    assert attempt(target, b"good") is None
    assert attempt(target, b"ours") is None
    fault = attempt(target, b"a bad thing")
    assert fault is not None
    assert fault.kind.startswith("KeyError")
    assert attempt(target, b"caught") is not None
    assert minimise(b"x" * 500 + b"bad" + b"y" * 700, lambda content: b"bad" in content) == b"bad"


def test_damage_is_the_same_for_the_same_seed_and_has_a_bound() -> None:
    target = TARGETS["format-docx"]
    drawn = [[mutate(target.seeds, rng, target.words) for _ in range(40)] for rng in (random.Random(1), random.Random(1))]
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) > 30
    assert max(map(len, drawn[0])) <= LARGEST


def test_the_command_prints_a_line_a_target_and_refuses_unknown_ones() -> None:
    run = [sys.executable, str(Path(__file__).with_name("run.py"))]
    done = subprocess.run([*run, "robots", "--minutes", "0.005"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["target", "robots"]
    refused = subprocess.run([*run, "nobody"], capture_output=True, text=True)
    assert refused.returncode == 2
    assert "there is no target 'nobody'" in refused.stderr
