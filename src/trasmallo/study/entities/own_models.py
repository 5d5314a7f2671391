"""Names by a model that a user trained, as a layer of its own: what it finds stands before what our model finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from trasmallo.study.entities.evaluation import spans as marked
from trasmallo.study.entities.finder import common_words, names_of
from trasmallo.study.entities.found_spans import FoundSpan
from trasmallo.study.entities.markov import MarkovTagger
from trasmallo.study.entities.model_files import MarkovModel, load
from trasmallo.study.entities.sequence_tagger import LabelledName, SequenceTagger
from trasmallo.study.entities.tagged_text import TaggedText

_LONGEST_SENTENCE = 2_000
"""Words of a sentence that are looked at together; a text without sentences is cut. Judgement."""
_MARKOV_SCORE = 0.7
"""How sure a name by a hidden Markov model is, which tells labels alone. Judgement."""


class OwnModelNames:
    """A trained model ready to use, of the kinds that are asked for; () is all that it knows."""

    def __init__(self, path: Path, kinds: Sequence[str], language: str) -> None:
        model = load(path)
        self._kinds, self._language = frozenset(kinds), language
        self._markov = MarkovTagger(model) if isinstance(model, MarkovModel) else None
        self._tagger = None if isinstance(model, MarkovModel) else SequenceTagger(model, common_words(language))

    def find(self, text: TaggedText) -> Iterator[FoundSpan]:
        """The names of a text."""
        words, starts, ends = text.cut.tokens.words, text.cut.tokens.starts, text.cut.tokens.ends
        ranges = [piece for sentence in text.cut.sentences for piece in _pieces(*sentence)]
        tags = [one.category for one in text.tagged]
        found = self._names([words[low:high] for low, high in ranges], [tags[low:high] for low, high in ranges])
        for (low, _), names in zip(ranges, found, strict=True):
            for one in names:
                if not self._kinds or one.kind in self._kinds:
                    span = (starts[low + one.start], ends[low + one.end - 1])
                    yield FoundSpan(*span, one.kind, "", "trained", round(one.score, 3))

    def _names(self, sentences: list[list[str]], tags: list[list[str]]) -> list[list[LabelledName]]:
        if self._tagger is not None:
            return names_of(sentences, tags, self._language, self._tagger)
        label = self._markov.label if self._markov is not None else list
        return [[LabelledName(*span, _MARKOV_SCORE) for span in sorted(marked(label(words)))] for words in sentences]


def _pieces(low: int, high: int) -> Iterator[tuple[int, int]]:
    for start in range(low, high, _LONGEST_SENTENCE):
        yield start, min(start + _LONGEST_SENTENCE, high)
