"""What a plan has learnt, as octets: so that visits need not be learnt again that it has seen.

Each part of a plan names in `KEPT` what it has learnt; all else of it follows from that. A plan that is taken up goes on as if
it had learnt the same visits now, to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import numpy as np

from trasmallo.crawl.revisit.collection import RevisitPlan
from trasmallo.values.arrays import Array

PackedPlan = dict[str, dict[str, bytes | int | list[str]]]
"""What each part has learnt, by the names of parts and of what they keep: arrays as NumPy writes them, numbers, addresses."""


def pack_plan(plan: RevisitPlan) -> PackedPlan:
    """What a plan has learnt, hints left out: who takes it up reads those anew."""
    return {
        name: {field: _packed(getattr(part, field)) for field in part.KEPT}  # type: ignore[attr-defined]
        for name, part in _parts(plan)
    }


def take_up(packed: PackedPlan) -> RevisitPlan:
    """A plan that goes on from there; raises ValueError, KeyError or TypeError for what no plan has written."""
    plan = RevisitPlan()
    for name, part in _parts(plan):
        for field in part.KEPT:  # type: ignore[attr-defined]
            setattr(part, field, _unpacked(packed[name][field], getattr(part, field)))
    return plan


def _parts(plan: RevisitPlan) -> Iterator[tuple[str, object]]:
    planner = plan.planner
    yield from {
        "planner": planner,
        "activity": planner.activity,
        "trust": planner.trust,
        "priors": planner.priors,
        "groups": planner.groups,
        "addresses": plan.addresses,
    }.items()


def _packed(value: object) -> bytes | int | list[str]:
    if isinstance(value, np.ndarray):
        file = BytesIO()
        np.lib.format.write_array(file, value, allow_pickle=False)
        return file.getvalue()
    if isinstance(value, dict):
        return list(value)
    assert isinstance(value, int | bytearray)
    return bytes(value) if isinstance(value, bytearray) else int(value)


def _unpacked(packed: bytes | int | list[str], like: object) -> object:
    """A value of the kind that stands there in a plan that has learnt nothing."""
    if isinstance(like, np.ndarray) and isinstance(packed, bytes):
        return _array(packed, like)
    if isinstance(like, dict) and isinstance(packed, list):
        return {text: number for number, text in enumerate(packed)}
    if isinstance(like, bytearray) and isinstance(packed, bytes):
        return bytearray(packed)
    if isinstance(like, int) and isinstance(packed, int):
        return type(like)(packed)
    raise ValueError("a part of the plan is of another kind")


def _array(packed: bytes, like: Array) -> Array:
    array: Array = np.lib.format.read_array(BytesIO(packed), allow_pickle=False)
    if array.dtype != like.dtype or array.shape[1:] != like.shape[1:]:
        raise ValueError("an array of the plan has another shape")
    return array
