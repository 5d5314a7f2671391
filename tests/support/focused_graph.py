"""A small graph of pages about two things, for focused crawls: boats lead to boats, banks to banks, some pages to both."""

from __future__ import annotations

import random

from trasmallo.crawl.focus import FocusModel, FocusSetup, SeenLink, SeenPage, Topic

BOATS = ["vela", "barco", "mastil", "quilla", "timon", "puerto", "regata", "ancla", "casco", "marinero"]
BANKS = ["banco", "credito", "interes", "deuda", "bolsa", "acciones", "hipoteca", "prestamo", "inversion", "ahorro"]
COMMON = ["pagina", "inicio", "contacto", "nota", "texto", "lectura", "tema", "parte", "lugar", "tiempo"]


def page_of(kind: str, number: int, links: list[str], *, example: bool = False) -> SeenPage:
    """A page about boats or banks, drawn by its number."""
    chance = random.Random(f"{kind}{number}")
    own = BOATS if kind == "boats" else BANKS
    text = " ".join(chance.choices(own, k=40) + chance.choices(COMMON, k=40))
    return SeenPage(
        address(kind, number),
        f"{chance.choice(own)} {number}",
        text,
        tuple(SeenLink(link, anchor_of(link), "sobre", chance.choice(COMMON)) for link in links),
        example,
    )


def address(kind: str, number: int) -> str:
    return f"https://{kind}.example/{number}"


def anchor_of(url: str) -> str:
    kind, number = url.split("//")[1].split(".")[0], int(url.rpartition("/")[2])
    return (BOATS if kind == "boats" else BANKS)[number % 10]


def mixed_links(start: int) -> list[str]:
    return [address(kind, number) for number in range(start, start + 5) for kind in ("boats", "banks")]


def boat_model(**kept: object) -> FocusModel:
    """A model about boats that has seen a start page and some others, which lead to both."""
    model = FocusModel(FocusSetup(topics=(Topic(name="topic", words=("vela", "barco")),)))
    model.observe(page_of("boats", 0, mixed_links(10), example=True))
    for number in range(1, 6):
        model.observe(page_of("boats" if number % 2 else "banks", number, mixed_links(10 * number)))
    model.fit()
    return model
