"""Entries of the feeds that a run visited: what is new in them becomes documents of the collection.

1. Every visit to a feed is taken in once, in order of time; pushes of a hub are visits too.
2. An entry is new when no feed told of its address, and changed when its own feed says something else there; one of another
   feed counts only if it says more, as a summary and the whole article do.
3. What is new or changed and has a text is stored as an Atom entry and read, unless the page that it leads to was obtained:
   that is the document then, and what the entry tells is joined to it (`entries` in `results.tables.feeds`).

Nothing is done twice: who is killed begins again where no visit was written down, and a feed that did not change is not read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from trasmallo.crawl.discover.discover import kind_of, may_be_list
from trasmallo.crawl.discover.feed_entries import MEDIA, NamedEntry, atom_entry, named_entries
from trasmallo.crawl.discover.feeds import Feed, NextVisit, read_feed, visit_after
from trasmallo.crawl.websub.offers import own_offer
from trasmallo.pipeline.archive_rows import answer_of, entries_of
from trasmallo.pipeline.feed_claims import claims_of, pace_in
from trasmallo.pipeline.keeper import Keeper
from trasmallo.results.rows import EntryRow
from trasmallo.store.archive import Archive, ArchiveReader
from trasmallo.store.carried import ENTRIES
from trasmallo.store.catalog import Catalog
from trasmallo.store.feed_states import EntryState, FeedState, FeedStates
from trasmallo.store.parts import document_id
from trasmallo.store.run_folders import Run
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.errors import StoreError
from trasmallo.values.model import Fetch, Outcome, Reached, Response, Target
from trasmallo.values.urls import canonical

_MOST_HOPS = 5
"""Redirects that are followed from an entry's link to its page. Judgement: counters of clicks put in one or two."""

_CAUSE = "what its feed says"


class FeedVisit(msgspec.Struct, frozen=True):
    """A visit that showed a feed: its row, the answer that is stored, and the feed in it."""

    fetch: Fetch
    answer: Response
    feed: Feed


def read_visit(fetch: Fetch, archive: Archive | ArchiveReader) -> FeedVisit | None:
    """What a visit shows of a feed; None when it shows none, or its record is damaged."""
    if not fetch.outcome.obtained or fetch.locator is None or not may_be_list(fetch.media):
        return None
    with suppress(StoreError):  # damage is told by who checks the archive
        record = archive.read(fetch.locator)
        content = record.content()
        if content is not None and kind_of(fetch.media, content) == "feed":
            answer = answer_of(record, record.body, content)
            feed = read_feed(content, fetch.url, answer.header("content-type"))
            return FeedVisit(fetch, answer, feed) if feed else None
    return None


class EntryTaker:
    """Takes in the feeds that a run visited. `lineage` are the runs that its results consist of, itself the last.

    `refuses` says of an address why nothing of it is wanted, "" when it is. With an archive that is only read, what was stored
    before is noted again.
    """

    def __init__(
        self,
        lineage: Sequence[str],
        archive: Archive | ArchiveReader,
        catalog: Catalog,
        refuses: Callable[[str], str] = lambda _url: "",
    ) -> None:
        self._lineage, self._run = frozenset(lineage), lineage[-1]
        self._refuses = refuses
        self._archive = archive
        self._catalog = catalog
        self._states = FeedStates(catalog)
        self._stored: list[Fetch] = []
        self._before = {(fetch.url, fetch.at) for fetch in catalog.all_of_run(entries_of(self._run))}
        self._keeper: Keeper | None = None
        if isinstance(archive, Archive):
            self._keeper = Keeper(archive, catalog, entries_of(self._run), self._stored.append)

    def take(self) -> list[Fetch]:
        """Take in all visits; the rows of what was stored and must be read."""
        for fetch in sorted(self._catalog.all_of_run(self._run, may_be_list), key=lambda fetch: (fetch.at, fetch.url)):
            known = self._states.feed(fetch.url)
            if known is not None and known.run in self._lineage and self._is_old(fetch, known):
                continue
            visit = read_visit(fetch, self._archive)
            if visit is not None:
                self._take(visit, known or FeedState())
        return self._stored

    def _is_old(self, fetch: Fetch, known: FeedState) -> bool:
        """Whether a visit to a feed is taken in already, or is now, since it tells nothing that is not known."""
        return known.asked >= fetch.at or self._took_as_before(fetch, known)

    def _took_as_before(self, fetch: Fetch, before: FeedState) -> bool:
        """Take in a visit that showed a feed as it was at the last one; False when it did not."""
        claims = self._states.claims(fetch.url, fetch.digest) if fetch.outcome.obtained else None
        if claims is None:
            return False
        due, visits = visit_after(pace_in(claims), fetch.at), before.visits + 1
        reason = reason_of(due)
        state = replace(before, new=0, visits=visits, asked=fetch.at, due=due.at, reason=reason, run=self._run)
        self._states.put_feed(fetch.url, state)
        return True

    def _take(self, visit: FeedVisit, before: FeedState) -> None:
        found = named_entries(visit.feed, visit.fetch.at)
        known = {entry.url: self._known(entry.url) for entry in found}
        told = [entry for entry in found if is_told(entry, known[entry.url], visit.fetch.url)]
        states = [(entry.url, self._state(entry, visit)) for entry in told]
        if self._keeper is not None:
            self._store((entry for entry, (_, state) in zip(told, states, strict=True) if not state.page), visit, self._keeper)
        self._states.put_entries(states)
        new = sum(state is None for state in known.values())
        claims = claims_of(visit.fetch, visit.answer, visit.feed)
        due = visit_after(pace_in(claims), visit.fetch.at)
        self._states.put_feed(visit.fetch.url, _after(before, visit, due, entries=len(found), new=new, run=self._run))
        self._states.put_claims(visit.fetch.url, claims)

    def _store(self, entries: Iterable[NamedEntry], visit: FeedVisit, keeper: Keeper) -> None:
        fetch = visit.fetch
        with keeper.together():
            for entry in entries:
                if not entry.text or self._refuses(entry.url) or (entry.url, fetch.at) in self._before:
                    continue
                reached = Reached.PUSH if fetch.origin.reached is Reached.PUSH else Reached.FEED
                depth = (fetch.origin.depth or 0) + 1
                target = Target(entry.url, depth, via=fetch.url, seed=fetch.origin.seed, reached=reached)
                keeper.keep(target, _answer(entry, visit), Outcome.ENTRY, _CAUSE)

    def _known(self, url: str) -> EntryState | None:
        """What is known of an entry; what a run was told that was given up is not among the results."""
        state = self._states.entry(url)
        return state if state is not None and state.run in self._lineage else None

    def _state(self, found: NamedEntry, visit: FeedVisit) -> EntryState:
        entry = found.entry
        return EntryState(
            feed=visit.fetch.url,
            id=entry.id,
            title=entry.title,
            author=entry.author,
            published=entry.published,
            updated=entry.updated,
            digest=found.digest,
            size=len(found.text),
            at=visit.fetch.at,
            own_page=found.own_page,
            page=page_of(found.url, self._catalog) if found.own_page else "",
            run=self._run,
        )


def page_of(url: str, catalog: Catalog) -> str:
    """The address of the page that an entry's link leads to, "" when it never came; one off topic did."""
    for _ in range(_MOST_HOPS):
        rows = list(catalog.versions(url))
        if any(row.outcome.obtained or row.outcome is Outcome.OFF_TOPIC for row in rows):
            return url
        location = next((row.location for row in rows if row.outcome is Outcome.REDIRECTED), "")
        if not location:
            return ""
        url = canonical(location)
    return ""


def write_entries(run: Run, catalog: Catalog, until: float) -> None:
    """Write down the entries of the collection as they were known at a time, each with the document that it belongs to."""
    rows = (_row(url, state, catalog) for url, state in FeedStates(catalog).entries(until))
    write_whole(run.folder / ENTRIES, msgspec.json.Encoder().encode_lines(list(rows)))


def _row(url: str, state: EntryState, catalog: Catalog) -> EntryRow:
    page = state.page or (page_of(url, catalog) if state.own_page else "") or url
    return EntryRow(
        title=state.title,
        url=url,
        feed=state.feed,
        author=state.author,
        published=state.published,
        updated=state.updated,
        id=state.id,
        at=state.at,
        document=document_id(page),
    )


def is_told(found: NamedEntry, known: EntryState | None, feed: str) -> bool:
    """Whether a visit tells something of an entry that was not known."""
    if known is None or found.digest == known.digest:
        return known is None
    return known.feed == feed or len(found.text) > known.size


def _after(before: FeedState, visit: FeedVisit, due: NextVisit, *, entries: int, new: int, run: str) -> FeedState:
    feed, offer = visit.feed, own_offer(visit.answer, visit.feed)
    return FeedState(
        title=" ".join(feed.title.split()),
        kind=feed.kind,
        entries=entries,
        new=new,
        visits=before.visits + 1,
        found=before.found + new,
        first=before.first if before.visits else new,
        asked=visit.fetch.at,
        due=due.at,
        reason=reason_of(due),
        hub=offer.hubs[0] if offer else "",
        topic=offer.topic if offer else "",
        run=run,
    )


def reason_of(due: NextVisit) -> str:
    """Why a feed is next asked for then; the app has it in other languages (`web/words`, phrase.…)."""
    return f"{due.reason}, outside its excluded hours and days" if due.skipped else str(due.reason)


def _answer(entry: NamedEntry, visit: FeedVisit) -> Response:
    body = atom_entry(entry, visit.feed)
    headers = (("Content-Type", MEDIA), ("Content-Length", str(len(body))))
    return Response(url=entry.url, at=visit.fetch.at, status=200, reason="OK", headers=headers, body=body, content=body)
