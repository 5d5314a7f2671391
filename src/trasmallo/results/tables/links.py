"""Links of pages, and what is made of all of them together (`results.links`)."""

from __future__ import annotations

import msgspec

from trasmallo.results.cells import Rows, Screen
from trasmallo.results.registry import FromLinks, FromParts, Layered, Table, Wording
from trasmallo.results.rows import LinkRow


class AnchorRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What links say of an address: so many links from so many sites, of its own site and of others.

    `document` is "" when the address gave none.
    """

    url: str
    anchor: str
    links: int
    sites: int
    own: int
    foreign: int
    document: str


class RankRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How a document stands among the others: pages that link to it from its own site and others, and its ranks.

    `outlinks` are documents it links to, `dangling` its links that lead to none. PageRank, hubs and authorities add up to 1.
    """

    url: str
    pagerank: float
    inlinks_own: int
    inlinks_foreign: int
    outlinks: int
    dangling: int
    hub: float
    authority: float
    document: str


class FarmRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A member of a group whose links look arranged (`study.graph.farms`): sites, or two pages in a cycle.

    `links` are those inside the group, or those that most of it have; `density` is the share of its pairs that link both ways,
    `inside` the share of its links that stay in it.
    """

    farm: int
    kind: str
    member: str
    members: int
    links: int
    density: float
    inside: float


_OF_ALL_LINKS = Layered((), "trasmallo.results.layers.links:of_links", after=("links", "pages"))
_TO_ADDRESS = Rows("links", ("url=$url",))

TABLES = (
    Table(
        name="links",
        title=Wording(en="Links", es="Enlaces"),
        about=Wording(
            en="Links of pages with their anchor text: where they stand, whether they stay on the site, "
            "and whether they count.",
            es="Enlaces de las páginas con su texto: dónde están, si se quedan en el sitio y si cuentan.",
        ),
        order="document, url",
        group="links",
        row=LinkRow,
        made=FromParts(),
        layered=Layered(("document",), "trasmallo.results.layers.by_document:of_parts"),
        links={"url": _TO_ADDRESS, "anchor": Rows("anchors", ("url=$url",))},
    ),
    Table(
        name="anchors",
        title=Wording(en="Anchors", es="Textos de enlace"),
        about=Wording(
            en="What the links to an address say: the same anchor once, with its links. Idle ones (click here) are left out.",
            es="Lo que dicen los enlaces a una dirección: cada texto una vez, con sus enlaces. Sin los vacíos (pulse aquí).",
        ),
        order="links DESC, url, anchor",
        group="links",
        analyses=("links",),
        row=AnchorRow,
        made=FromLinks("trasmallo.results.links.anchors:make"),
        layered=_OF_ALL_LINKS,
        links={"url": _TO_ADDRESS, "links": Rows("links", ("url=$url", "anchor=$anchor"))},
    ),
    Table(
        name="ranks",
        title=Wording(en="Ranks", es="Rangos"),
        about=Wording(
            en="How documents stand by their links: inlinks, PageRank, hub and authority. Copies and redirects are folded.",
            es="Cómo quedan los documentos por sus enlaces: entrantes, PageRank, centro y autoridad. "
            "Copias y redirecciones se funden.",
        ),
        order="pagerank DESC, url",
        group="links",
        analyses=("links",),
        row=RankRow,
        made=FromLinks("trasmallo.results.links.ranks:make"),
        layered=_OF_ALL_LINKS,
        links={
            "url": Screen("links", "document"),
            "outlinks": Rows("links", ("document=$document",)),
            "inlinks_own": Rows("links", ("url=$url", "own=true")),
            "inlinks_foreign": Rows("links", ("url=$url", "own=false")),
        },
    ),
    Table(
        name="farms",
        title=Wording(en="Farms of links", es="Granjas de enlaces"),
        about=Wording(
            en="Groups of sites whose links look arranged, and pages of two sites that link to each other.",
            es="Grupos de sitios cuyos enlaces parecen concertados, y páginas de dos sitios que se enlazan entre sí.",
        ),
        order="farm, member",
        group="links",
        analyses=("links",),
        row=FarmRow,
        made=FromLinks("trasmallo.results.links.farms:make"),
        layered=_OF_ALL_LINKS,
    ),
)
