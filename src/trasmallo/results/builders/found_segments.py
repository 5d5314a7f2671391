"""The segments of a corpus with their places, found once for all tables that are made of them: half of what these take."""

from __future__ import annotations

from trasmallo.results.builders.counts import TokenSource
from trasmallo.results.builders.key_columns import SequenceColumn, made_once
from trasmallo.study.segments import PlacedSegments, SegmentOptions, Sorting, place_segments


def found_segments(tokens: TokenSource, of: str, source: SequenceColumn) -> list[PlacedSegments]:
    """The segments of a column, a `PlacedSegments` for each length from two on; `of` is the column's name."""
    study = tokens.study
    options = SegmentOptions(2, study.segment_words, study.segment_frequency, study.segments)

    def find() -> list[PlacedSegments]:
        return list(place_segments(source.column, source.bounds, options, source.rules, Sorting(tokens.scratch)))

    return made_once(tokens.corpus, f"segments of {of} by {study}", find)
