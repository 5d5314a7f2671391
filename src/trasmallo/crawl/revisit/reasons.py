"""Why a page is visited, in words: sentences with a code and arguments, so that the app can say them in its language."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from trasmallo.crawl.revisit.visits import Source
from trasmallo.values.messages import Message


class Grounds(msgspec.Struct, frozen=True, kw_only=True):
    """What led to a planned visit. Times are days before now.

    `visits` are those after the first, `busy` is when its site was busiest since it was seen (None if it was not), `claimed`
    when it changed by what a source says (None if none says that it did since it was seen).
    """

    visits: int
    changes: int
    seen: float
    age: float
    busy: int | None = None
    claimed: float | None = None
    source: Source = Source.SITEMAP
    gone: int = 0


def reason(grounds: Grounds) -> Message:
    """The grounds of a visit in one sentence, the strongest last."""
    parts = [_history(grounds.visits, grounds.changes)] if grounds.visits or not grounds.gone else []
    if grounds.gone:
        parts.append(_gone(grounds.gone))
    if grounds.busy is not None:
        parts.append(_busy(grounds.busy))
    if grounds.claimed is not None:
        parts.append(_claim(grounds.source, grounds.claimed))
    parts.append(_seen(grounds.seen))
    parts.append(Message("expected age {days:.1f} d", days=grounds.age))
    return _joined(parts)


def _joined(parts: Sequence[Message]) -> Message:
    if len(parts) == 1:
        return parts[0]
    return Message("{first}; {rest}", first=parts[0], rest=_joined(parts[1:]))


def _history(visits: int, changes: int) -> Message:
    if not visits:
        return Message("not visited again yet")
    if visits == 1:
        return Message("changed when it was visited again") if changes else Message("unchanged when it was visited again")
    if not changes:
        return Message("unchanged in {visits} visits", visits=visits)
    if changes == 1:
        return Message("changed once in {visits} visits", visits=visits)
    return Message("changed {changes} times in {visits} visits", changes=changes, visits=visits)


def _gone(times: int) -> Message:
    return Message("not found any more") if times == 1 else Message("not found {times} times", times=times)


def _busy(days: int) -> Message:
    if days < 1:
        return Message("its site changed today")
    return Message("its site changed yesterday") if days == 1 else Message("its site changed {days} days ago", days=days)


def _claim(source: Source, days: float) -> Message:
    if source is Source.FEED:
        return Message("by its feed it changed {days:.1f} days ago", days=days)
    return Message("by its sitemap it changed {days:.1f} days ago", days=days)


def _seen(days: float) -> Message:
    if days < 2:
        return Message("last seen {hours:.0f} hours ago", hours=24 * days)
    return Message("last seen {days:.0f} days ago", days=days)
