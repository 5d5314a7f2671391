"""A small Spanish lexicon for the tests of morphology: a few rows as the real one has them, compiled in memory."""

from __future__ import annotations

from functools import cache

from trasmallo.study.morphology import rules
from trasmallo.study.morphology.analyser import Analyser
from trasmallo.study.morphology.compilation import entries
from trasmallo.study.morphology.formation import Formation
from trasmallo.study.morphology.tables import LexiconTables, pack
from trasmallo.study.morphology.tags import Tags

ROWS = """
casa casa NCFS000|casa casar VMIP3S0|casa casar VMM02S0|casas casa NCFP000|casas casar VMIP2S0|casar casar VMN0000
dar dar VMN0000|dando dar VMG0000|da dar VMIP3S0|da dar VMM02S0|dé dar VMM03S0|dé dar VMSP3S0|di decir VMM02S0|di dar VMIS1S0
decir decir VMN0000|vamos ir VMIP1P0|vamos ir VMM01P0|sentemos sentar VMM01P0|sentemos sentar VMSP1P0|sentad sentar VMM02P0
sentar sentar VMN0000|hacer hacer VMN0000|hacerte hacerte NCMS000|tener tener VMN0000|vivir vivir VMN0000|está estar VMM02S0
rápida rápido AQ0FS00|rápido rápido AQ0MS00|alto alto AQ0MS00|alta alto AQ0FS00|chico chico NCMS000|chico chico AQ0MS00
blanco blanco AQ0MS00|lápiz lápiz NCMS000|moderno moderno AQ0MS00|robo robo NCMS000|robo robar VMIP1S0|militar militar AQ0CS00
club club NCMS000|canción canción NCFS000|alumna alumno NCFS000|cantado cantar VMP00SM|cantadas cantar VMP00PF
enviar enviar VMN0000|peatonal peatonal AQ0CS00|amable amable AQ0CS00|lavar lavar VMN0000|útil útil AQ0CS00
probable probable AQ0CS00|el el DA0MS0
la el DA0FS0|la lo PP3FSA0|me me PP1CS00|primer 1 AO0MS00|primeras 1 AO0FP00|al a+el SP+DA|dos do NCMP000|dB decibelio NCMN000
pie pie NCMS000|pez pez NCMS000|flor flor NCFS000|puerta puerta NCFS000|mano mano NCFS000|fuerte fuerte AQ0CS00
fiel fiel AQ0CS00
célebre célebre AQ0CS00|joven joven AQ0CS00|seco seco AQ0MS00|digas decir VMSP2S0|digamos decir VMSP1P0
durmamos dormir VMSP1P0|empecemos empezar VMSP1P0
reír reír VMN0000|reí reír VMIS1S0
niño niño NCMS000|niños niño NCMP000|niña niño NCFS000|niñas niño NCFP000|chica chico NCFS000|chica chico AQ0FS00
guión guión NCMS000|guiones guión NCMP000|huí huir VMIS1S0|adecúa adecuar VMIP3S0|tú tú PP2CSN0|tu tu DP2CSS
seria serio AQ0FS00|sería ser VSIC1S0|sería ser VSIC3S0|altísimo altísimo AQ0MS00|descrito describir VMP00SM
ciudad ciudad NCFS000|ciudades ciudad NCFP000|estado estado NCMS000|estado estar VMP00SM|ten tener VMM02S0|dijo decir VMIS3S0
imprimir imprimir VMN0000|romper romper VMN0000|sándwich sándwich NCMS000|id ir VMM02P0|quedó quedar VMIS3S0
memos memo NCMP000|memas memo NCFP000|gay gay NCCS000|gayes gayar VMSP2S0
decía decir VMII1S0|decíamos decir VMII1P0|diré decir VMIF1S0|dirá decir VMIF3S0|librar librar VMN0000|libró librar VMIS3S0
libro libro NCMS000|libre libre AQ0CS00|tío tío NCMS000|dijera decir VMSI1S0|dijera decir VMSI3S0
"""


def listed() -> dict[str, list[tuple[str, str]]]:
    """The rows by their form."""
    found: dict[str, list[tuple[str, str]]] = {}
    for row in ROWS.replace("\n", "|").split("|"):
        if row:
            form, lemma, tag = row.split()
            found.setdefault(form, []).append((lemma, tag))
    return found


@cache
def tables() -> LexiconTables:
    """The lexicon, compiled."""
    return LexiconTables(b"".join(pack(entries("es", listed()))))


@cache
def formation() -> Formation:
    """The Spanish rules over it."""
    return Formation(rules.load("es"), Tags("es"), tables().find)


@cache
def small() -> Analyser:
    """The analyser over it."""
    return Analyser("es", tables())
