"""The pages, a module a family. A new family is added to `FAMILIES`."""

from trasmallo.web.pages import Page
from trasmallo.web.views import (
    age,
    cluster,
    collection,
    compare,
    concordance,
    deep_web,
    documents,
    focus,
    graphs,
    history,
    inbox,
    incidents,
    lab,
    live,
    projects,
    search,
    settings,
    site_maps,
    soundness,
    studies,
    tables,
    timetable,
    trends,
    triage,
    wordlists,
)

FAMILIES = (
    projects.pages,
    live.pages,
    cluster.pages,
    age.pages,
    deep_web.pages,
    focus.pages,
    collection.pages,
    timetable.pages,
    settings.pages,
    wordlists.pages,
    incidents.pages,
    soundness.pages,
    inbox.pages,
    tables.pages,
    search.pages,
    concordance.pages,
    graphs.pages,
    studies.pages,
    trends.pages,
    triage.pages,
    compare.pages,
    documents.pages,
    history.pages,
    site_maps.pages,
    lab.pages,
)


def all_pages() -> list[Page]:
    """Every page of the app."""
    return [page for family in FAMILIES for page in family.all]
