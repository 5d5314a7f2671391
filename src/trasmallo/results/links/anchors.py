"""What links say of where they lead, gathered on the target (textbook, 4.5.1)."""

from __future__ import annotations

from trasmallo.results.database.connection import Connection
from trasmallo.results.links.addresses import prepare
from trasmallo.store.run_folders import Run
from trasmallo.study import languages

# Case and signs make no difference between anchors, and an anchor without a letter says nothing.
_SPOKEN = r"trim(regexp_replace(lower(l.anchor), '[^\p{L}\p{N}]+', ' ', 'g'))"
_ANCHORS = rf"""
    SELECT coalesce(n.url, l.url) AS url, min(l.anchor) AS anchor, count(*) AS links, count(DISTINCT s.host) AS sites,
           count(*) FILTER (l.own) AS own, count(*) FILTER (NOT l.own) AS "foreign",
           coalesce(any_value(n.document), '') AS document
    FROM links l JOIN link_nodes s ON s.document = l.document
    LEFT JOIN link_leads d ON d.key = hash(l.url) LEFT JOIN link_nodes n ON n.number = d.number
    WHERE l.aside = '' AND regexp_matches(l.anchor, '\p{{L}}') AND {_SPOKEN} NOT IN (SELECT anchor FROM link_idle)
          AND s.number IS DISTINCT FROM n.number
    GROUP BY coalesce(n.url, l.url), {_SPOKEN}"""  # noqa: S608 - all of it is ours


def make(connection: Connection, run: Run) -> str:
    """The SQL of `anchors`: links that count, from documents that are no copies, without what a page says of itself."""
    prepare(connection, run)
    connection.select("CREATE OR REPLACE TABLE link_idle (anchor VARCHAR)")
    connection.insert("link_idle", [sorted(languages.idle_anchors())])
    return _ANCHORS
