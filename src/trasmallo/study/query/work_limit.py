"""The work that one question may take, counted in steps and not in seconds, so that it is refused on every machine or on none.

A step is a walk that looks at one token, some 50 ns; following a move takes as long as some hundred, however few walks do it.
Larger corpora may be walked longer.
"""

from __future__ import annotations

from trasmallo.study.query.query_errors import QueryError

MOVE = 256
"""Steps that a move costs beside those of its walks. Calibrated on the demo: numpy's calls take 10 to 15 µs."""

_LEAST = 40_000_000
"""Steps that any question may take. Calibrated on the demo: two seconds of CPU."""

_EACH_TOKEN = 64
"""Steps more for each token of the corpus. Judgement: `[]{1,30} within s` takes about 20."""


_LABEL = 2
"""Steps more of a walk for each label of the query. Calibrated on the demo: walks that differ in labels are sorted by them."""


def steps(walks: int, labels: int) -> int:
    """What so many walks cost that carry so many labels."""
    return walks * (1 + _LABEL * labels)


class WorkLimit:
    """What is left of the steps of one question, its inner ones included."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._left = most

    @classmethod
    def of_corpus(cls, tokens: int) -> WorkLimit:
        """What a question may take in a corpus of so many tokens."""
        return cls(_LEAST + _EACH_TOKEN * tokens)

    def spend(self, steps: int) -> None:
        """Take so many; raises QueryError when there are no more."""
        self._left -= steps
        if self._left < 0:
            raise QueryError(
                "the query takes more than {most:,} steps",
                "use smaller repeats, or rarer words, or ask fewer documents",
                most=self._most,
            )
