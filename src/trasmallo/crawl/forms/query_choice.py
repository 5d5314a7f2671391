"""Which words to ask a search form next: those that promise most documents nobody has seen, for the requests they cost.

Query probing after Ntoulas, Zerfos and Cho, *Downloading textual hidden web content through keyword queries* (JCDL 2005). What
is known is a sample: the documents that earlier questions brought, with the words shown beside them. A word shown with `d` of
`n` documents is expected in `v * d * N / n` of all `N`, of which `v * d` are known; `v` is learnt from what questions brought,
since lists of results show only some words of each document.

`N` is estimated by overlap (capture and recapture): a share of what a question brings is known already, as large as the share
of all that is known. Only the last questions count, and none that the form cut off at its limit: those show the same few first.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence

from trasmallo.crawl.forms.site_words import SiteWords, is_word

_LAST = 20
"""Questions from which the estimate is made. Judgement: enough that one odd word does not turn it."""
_UNKNOWN_GROWTH = 4.0
"""How many times what is known is taken for the whole as long as no question tells. Judgement: only the first words depend on
it."""

_CUT_OFF = 0.02
"""What a question that the form cuts off promises beside one that it does not. Calibrated by `benchmarks/form_probing.py`."""


class QueryChooser:
    """What the questions to one form have shown so far, and the next one worth asking."""

    def __init__(self, first_words: Iterable[str] = (), site: SiteWords | None = None) -> None:
        self.documents: set[str] = set()
        self._frequencies: Counter[str] = Counter()
        self._asked: set[str] = set()
        self._first = [word for word in first_words if is_word(word)]
        self._site = site or SiteWords()
        self._limit = 0
        self._last: deque[tuple[int, int]] = deque(maxlen=_LAST)
        self._promised = self._brought = 1.0
        self._word, self._expected = "", 0.0

    def learn(self, results: Sequence[tuple[str, Iterable[str]]]) -> int:
        """Take in what one page of results lists: documents and the words shown with each; gives how many were new."""
        new = 0
        for document, words in results:
            if document not in self.documents:
                new += 1
                self.documents.add(document)
                self._frequencies.update({word for word in words if is_word(word) and word not in self._asked})
        return new

    def end_question(self, results: int, new: int, *, whole: bool) -> None:
        """The last question brought so many results, some of them new; `whole` when all pages of them were looked at."""
        cut_off = 0 < self._limit <= results or not whole
        self._limit = max(self._limit, results) if results else self._limit
        if not results or cut_off:
            return
        self._last.append(((len(self.documents) - new) * results, results - new))
        if self._expected:
            self._promised, self._brought = 0.9 * self._promised + self._expected, 0.9 * self._brought + results

    def next_word(self) -> str:
        """The word to ask next; "" when none promises a new document.

        When those of the results are all asked, words of other pages of the site are.
        """
        word = next((each for each in self._first if each not in self._asked), "")
        if word:
            self._first.remove(word)
        else:
            word = max(self._frequencies, key=self._promise, default="")
            if word and self._promise(word) <= 0:
                word = ""
        word = word or self._site.next(self._asked)
        if word:
            self._expected = self._frequencies.pop(word, 0) * self._growth
            self._asked.add(word)
        return word

    @property
    def estimate(self) -> float:
        """How many documents there are, as far as overlap tells."""
        return len(self.documents) * self._growth

    @property
    def _growth(self) -> float:
        """How many times as many documents there are as are known."""
        chances, again = sum(each for each, _ in self._last), sum(each for _, each in self._last)
        if not again or not self.documents:
            return _UNKNOWN_GROWTH
        return min(max(1.0, chances / again / len(self.documents)), _UNKNOWN_GROWTH)

    def _promise(self, word: str) -> float:
        """Documents nobody has seen that a word is expected to bring."""
        shown = self._frequencies[word] * max(1.0, self._brought / self._promised)
        expected = shown * self._growth
        if self._limit >= 20 and expected > self._limit:
            # More than the form shows of any: what comes first is mostly known, the more so the more are hidden behind it.
            return _CUT_OFF * (self._limit - shown)
        return expected - shown if self._growth > 1 else 0.01 * shown
