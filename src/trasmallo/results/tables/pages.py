"""What the analysis writes of each page, and which documents are copies."""

from __future__ import annotations

from trasmallo.results.cells import InDocument, Rows, Screen
from trasmallo.results.registry import FromFile, FromParts, Layered, Table, Wording
from trasmallo.results.rows import CopyRow, FieldRow, GoneRow, LanguageRow, MeasureRow, PageRow, ProfileRow, TextRow

# A copy is a row of `pages` like any other, but its words are not counted again.
_PAGES = """
    SELECT p.* REPLACE (CASE WHEN c.document IS NULL THEN p.drop ELSE 'copy of another document' END AS drop,
                        CASE WHEN c.document IS NULL THEN p.cause ELSE c.original END AS cause)
    FROM all_pages p LEFT JOIN copies c USING (document)"""

# What feeds tell of a document is joined here, and not written into parts: a feed may be read after the page. What earlier runs
# joined is carried, so it is left out first.
_FIELDS = """
    WITH told AS (SELECT e.* FROM entries e JOIN all_pages p USING (document) WHERE p.drop = ''),
    joined AS (
        UNPIVOT (
            SELECT document, nullif(id, '') AS "entry:id", nullif(author, '') AS "entry:author", feed AS "entry:feed",
                   strftime(make_timestamp(CAST(published * 1000000 AS BIGINT)), '%Y-%m-%dT%H:%M:%SZ') AS "entry:date"
            FROM told
        ) ON "entry:id", "entry:author", "entry:feed", "entry:date" INTO NAME name VALUE text
    ), own AS (SELECT document, name, text FROM all_fields WHERE NOT starts_with(name, 'entry:')),
    days AS (
        SELECT document, 'day' AS name, text[:10] AS text FROM joined
        ANTI JOIN (SELECT document FROM own WHERE name = 'day') dated USING (document) WHERE name = 'entry:date'
    )
    SELECT * FROM own UNION ALL SELECT DISTINCT document, name, text FROM joined UNION ALL SELECT DISTINCT * FROM days"""

_CHANGED = "trasmallo.results.layers.by_document"
_BY_DOCUMENT = Layered(("document",), f"{_CHANGED}:of_parts")
_WORDS = Rows("words_by_page", ("document=$document",), unless="drop")

TABLES = (
    Table(
        name="pages",
        title=Wording(en="Pages", es="Páginas"),
        about=Wording(
            en="Every obtained page, with its size in words or the reason why it was left out.",
            es="Cada página obtenida, con su tamaño en palabras o el motivo por el que se descartó.",
        ),
        order="url",
        group="pages",
        row=PageRow,
        made=FromParts(shown=_PAGES),
        layered=Layered(("document",), f"{_CHANGED}:of_pages"),
        added=("seed", "reached", "via", "depth", "access"),
        untold=("at",),
        brief=("title", "language", "words", "at", "drop", "url"),
        said={"drop": "drop", "cause": "", "reached": "reached"},
        links={
            "url": InDocument(),
            "title": InDocument(),
            "words": _WORDS,
            "types": _WORDS,
            "hapax": Rows("words_by_page", ("document=$document", "count=1"), unless="drop"),
            "drop": Rows("pages", ("drop=$drop",)),
            "language": Rows("pages", ("language=$language",)),
            "media": Rows("pages", ("media=$media",)),
            "seed": Rows("pages", ("seed=$seed",), sort="depth"),
            "reached": Rows("pages", ("reached=$reached",)),
            "depth": Rows("pages", ("seed=$seed", "depth=$depth")),
        },
    ),
    Table(
        name="texts",
        title=Wording(en="Texts", es="Textos"),
        about=Wording(en="The main text of every document.", es="El texto principal de cada documento."),
        order="document",
        group="pages",
        row=TextRow,
        made=FromParts(),
        layered=_BY_DOCUMENT,
        large=True,
    ),
    Table(
        name="fields",
        title=Wording(en="Fields", es="Campos"),
        about=Wording(
            en="Named parts of each page: title, headings, emphasis, what its head and its feed say, address, depth, day, "
            "comments.",
            es="Partes con nombre de cada página: título, encabezados, énfasis, cabecera, lo que dice su canal, dirección, "
            "profundidad, día, comentarios.",
        ),
        order="document, name, text",
        group="pages",
        row=FieldRow,
        made=FromParts(shown=_FIELDS),
        layered=Layered(("document",), f"{_CHANGED}:of_fields"),
    ),
    Table(
        name="languages",
        title=Wording(en="Languages", es="Idiomas"),
        about=Wording(
            en="Languages of each document: blocks, words and characters in each.",
            es="Idiomas de cada documento: bloques, palabras y caracteres en cada uno.",
        ),
        order="document, words DESC, language",
        group="pages",
        row=LanguageRow,
        made=FromParts(),
        layered=_BY_DOCUMENT,
        links={"language": Rows("languages", ("language=$language",), sort="-words")},
    ),
    Table(
        name="copies",
        title=Wording(en="Copies", es="Copias"),
        about=Wording(
            en="Documents that are copies or near copies of another.", es="Documentos que son copias o casi copias de otro."
        ),
        order="url",
        group="pages",
        row=CopyRow,
        made=FromFile("copies.jsonl"),
        links={"copy_of": InDocument("copy_of"), "original": InDocument("copy_of"), "url": InDocument()},
    ),
    Table(
        name="gone",
        title=Wording(en="Gone", es="Desaparecidas"),
        about=Wording(
            en="Pages that two runs in a row did not find, or whose site was taken out: when obtained, since when missing.",
            es="Páginas que dos ejecuciones seguidas no encontraron, o de sitios retirados: última vez y desde cuándo.",
        ),
        order="url",
        group="pages",
        row=GoneRow,
        made=FromFile("gone.jsonl"),
        added=("cause",),
        links={"url": Screen("history", "url")},
        columns={"since": Wording(en="missing since", es="falta desde")},
    ),
    Table(
        name="measures",
        title=Wording(en="Measures", es="Medidas"),
        about=Wording(en="How rich and how readable each document is.", es="Lo rico y lo legible que es cada documento."),
        order="document",
        group="pages",
        row=MeasureRow,
        made=FromParts(),
        layered=_BY_DOCUMENT,
    ),
    Table(
        name="profiles",
        title=Wording(en="Profiles", es="Perfiles"),
        about=Wording(
            en="Growth of each document's vocabulary: words that are new in each of its parts.",
            es="Crecimiento del vocabulario de cada documento: palabras nuevas en cada una de sus partes.",
        ),
        order="document, part",
        group="pages",
        row=ProfileRow,
        made=FromParts(),
        layered=_BY_DOCUMENT,
        links={"part": Screen("profiles", "document")},
    ),
)
