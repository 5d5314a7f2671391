"""What rules of formation share: how a word is looked up, and the analysis that a reading of another word becomes."""

from __future__ import annotations

import re
from collections.abc import Callable

from trasmallo.study.morphology.tables import Readings, SetReading
from trasmallo.values.model import Analysis

Find = Callable[[str], Readings]
"""The readings of a form, () when there are none."""
Test = Callable[[str], object]
"""Whether a reading's tags are those that a rule is for."""


def beginning(pattern: str) -> Test:
    """Whether one of a reading's tags begins as the pattern says."""
    return re.compile(rf"(?:.* )?(?:{pattern})" if pattern else "(?!)").match


def analysis(form: str, reading: SetReading, by: str = "rule") -> Analysis:
    """A reading of a form, by default as found by a rule."""
    lemma = form[: len(form) - reading.cut] + reading.add
    return Analysis(
        lemma=lemma,
        category=reading.category,
        features=reading.features,
        clitics=reading.clitics,
        by=by,
        tag=reading.tag,
    )


def changed(found: Analysis, features: str, tag: str) -> Analysis:
    """The same with other features and tag."""
    return Analysis(
        lemma=found.lemma,
        category=found.category,
        features=features,
        prefix=found.prefix,
        clitics=found.clitics,
        by="rule",
        tag=tag,
    )
