"""The tables that users can ask for: what is in them, how those that follow from others are made, and their order."""

from __future__ import annotations

from trasmallo.results.neologisms import COUNTED

SHOWN = {
    "pages": "Every obtained page, with its size in words or the reason why it was left out.",
    "words": "Every word of the corpus: occurrences, documents and sites it appears in. Copies are counted once.",
    "lemmas": "Every lemma of the corpus with its category: occurrences and documents. Copies are counted once.",
    "words_by_category": "Every word in each of its categories: occurrences and documents. Copies are counted once.",
    "categories": "Every category of the corpus: occurrences, documents, lemmas, share of all words. Copies are counted once.",
    "unknown": "Every occurrence of a word that nobody lists, with its surroundings and your verdict.",
    "neologisms": "Words that nobody lists: how often, on how many pages, sites and days, first where, and your verdict. "
    "Copies are left out.",
    "segments": "Sequences of words, lemmas, categories or characters that are frequent. Copies are counted once.",
    "phrases": "Noun phrases, counted by their lemmas, with categories and an example. Copies are counted once.",
    "collocations": "Words that stand near each other, and how strongly they attract. Copies are counted once.",
    "collocations_by_pattern": "Lemmas at the ends of patterns such as noun and adjective. Copies are counted once.",
    "category_pairs": "Which categories follow which at what distance, and share sentences. Copies are counted once.",
    "regimes": "Which prepositions verbs, nouns and adjectives govern. Copies are counted once.",
    "words_by_site": "Every word of every site: occurrences and documents. Copies are counted once.",
    "lemmas_by_site": "Every lemma of every site: occurrences and documents. Copies are counted once.",
    "categories_by_site": "Every category of every site: occurrences, documents, share of its words. Copies are counted once.",
    "dispersion": "How evenly each word is spread over the documents: Juilland's D, DP of Gries and its normalised form.",
    "measures": "How rich and how readable each document is.",
    "languages": "Languages of each document: blocks, words and characters in each.",
    "profiles": "Growth of each document's vocabulary: words that are new in each of its parts.",
    "links": "Links of pages with their anchor text: where they stand, whether they stay on the site, and whether they count.",
    "anchors": "What the links to an address say: the same anchor once, with its links. Idle ones (click here) are left out.",
    "ranks": "How documents stand by their links: inlinks, PageRank, hub and authority. Copies and redirects are folded.",
    "fields": "Named parts of each page: title, headings, emphasis, what its head says, address, depth, day, comments.",
    "farms": "Groups of sites whose links look arranged, and pages of two sites that link to each other.",
    "copies": "Documents that are copies or near copies of another.",
    "texts": "The main text of every document.",
    "words_by_page": "Every word of every document. Copies are left out.",
    "lemmas_by_page": "Every lemma of every document with its category. Copies are left out.",
    "categories_by_page": "Every category of every document: occurrences, share of its words. Copies are left out.",
}
"""Tables that users can ask for, and what is in them."""

# All of this SQL is ours. What follows from the tables of each page is made of these in numbers (see `results.views`), where
# copies are left out.
_WORDS_OF_SITES = """here AS (
            SELECT w.word AS number, p.host, sum(w.count) AS count, sum(w.capitalised) AS capitalised, count(*) AS documents
            FROM words_by_page_numbers w JOIN words_by_page_document d ON d.number = w.document
            JOIN all_pages p ON p.document = d.text GROUP BY w.word, p.host
        )"""
_CATEGORIES_OF_PAGES = """here AS (
            SELECT document, category, sum(count) AS count FROM lemmas_by_page_numbers GROUP BY document, category
        )"""

# Words of `frequent` are left out of the tables of the whole corpus, see `results.frequent`.
# A copy is a row of `pages` like any other, but its words are not counted again.
DERIVED = {
    "pages": """
        SELECT p.* REPLACE (CASE WHEN c.document IS NULL THEN p.drop ELSE 'copy of another document' END AS drop,
                            CASE WHEN c.document IS NULL THEN p.cause ELSE c.original END AS cause)
        FROM all_pages p LEFT JOIN copies c USING (document)""",
    "words": f"""
        WITH {_WORDS_OF_SITES}, totals AS (
            SELECT number, sum(count) AS count, sum(capitalised) AS capitalised, sum(documents) AS documents, count(*) AS sites
            FROM here GROUP BY number
        )
        SELECT w.text AS word, CAST(count AS BIGINT) AS count, CAST(capitalised AS BIGINT) AS capitalised,
               CAST(documents AS BIGINT) AS documents, sites
        FROM totals JOIN words_by_page_word w USING (number) WHERE w.text NOT IN (SELECT word FROM frequent)""",  # noqa: S608
    "words_by_site": f"""
        WITH {_WORDS_OF_SITES}
        SELECT host, w.text AS word, CAST(count AS BIGINT) AS count, documents
        FROM here JOIN words_by_page_word w USING (number) WHERE w.text NOT IN (SELECT word FROM frequent)""",  # noqa: S608
    "neologisms": COUNTED,
    # Juilland's D (A. Juilland and others 1970), DP (S. Th. Gries 2008) and it normalised (J. Lijffijt and Gries 2012).
    "dispersion": """
        WITH parts AS (
            SELECT d.number AS document, words FROM all_pages p LEFT JOIN words_by_page_document d ON d.text = p.document
            WHERE drop = '' AND words > 0 AND p.document NOT IN (SELECT document FROM copies)
        ), corpus AS (SELECT count(*) AS n, sum(words) AS total, min(words) / sum(words) AS smallest FROM parts),
        used AS (
            SELECT word, count, words / total AS share, count / words AS rate
            FROM words_by_page_numbers JOIN parts USING (document), corpus
        ), totals AS (
            SELECT word, CAST(sum(count) AS BIGINT) AS count, count(*) AS documents, sum(rate) AS rates,
                   sum(rate * rate) AS squares
            FROM used GROUP BY word
        ), apart AS (
            SELECT word, (sum(abs(u.count / t.count - u.share)) + 1 - sum(u.share)) / 2 AS dp
            FROM used u JOIN totals t USING (word) GROUP BY word
        )
        SELECT w.text AS word, count, documents,
               CASE WHEN n > 1 THEN greatest(
                   1 - sqrt(greatest(squares / n - (rates / n) ** 2, 0)) / (rates / n) / sqrt(n - 1), 0) END AS juilland,
               least(dp, 1) AS dp, CASE WHEN smallest < 1 THEN least(dp / (1 - smallest), 1) ELSE 0 END AS dp_norm
        FROM totals JOIN apart USING (word) JOIN words_by_page_word w ON w.number = word, corpus
        WHERE w.text NOT IN (SELECT word FROM frequent)""",
    "categories": f"""
        WITH {_CATEGORIES_OF_PAGES}, lemmas AS (
            SELECT category, count(DISTINCT lemma) AS lemmas FROM lemmas_by_page_numbers GROUP BY category
        )
        SELECT c.text AS category, CAST(sum(count) AS BIGINT) AS count, count(*) AS documents, any_value(lemmas) AS lemmas,
               sum(count) / sum(sum(count)) OVER () AS share
        FROM here JOIN lemmas USING (category) JOIN lemmas_by_page_category c ON c.number = category
        GROUP BY c.text""",  # noqa: S608
    "lemmas_by_site": """
        WITH here AS (
            SELECT p.host, l.lemma, l.category, sum(l.count) AS count, count(*) AS documents
            FROM lemmas_by_page_numbers l JOIN lemmas_by_page_document d ON d.number = l.document
            JOIN all_pages p ON p.document = d.text GROUP BY p.host, l.lemma, l.category
        )
        SELECT host, l.text AS lemma, c.text AS category, CAST(count AS BIGINT) AS count, documents
        FROM here JOIN lemmas_by_page_lemma l ON l.number = lemma JOIN lemmas_by_page_category c ON c.number = category""",
    "categories_by_site": f"""
        WITH {_CATEGORIES_OF_PAGES}
        SELECT p.host, c.text AS category, CAST(sum(count) AS BIGINT) AS count, count(*) AS documents,
               sum(count) / sum(sum(count)) OVER (PARTITION BY p.host) AS share
        FROM here JOIN lemmas_by_page_category c ON c.number = category
        JOIN lemmas_by_page_document d ON d.number = here.document JOIN all_pages p ON p.document = d.text
        GROUP BY p.host, c.text""",  # noqa: S608
    "categories_by_page": f"""
        WITH {_CATEGORIES_OF_PAGES}
        SELECT d.text AS document, c.text AS category, CAST(count AS BIGINT) AS count,
               count / sum(count) OVER (PARTITION BY here.document) AS share
        FROM here JOIN lemmas_by_page_category c ON c.number = category
        JOIN lemmas_by_page_document d ON d.number = here.document""",  # noqa: S608
}
MADE_OF = dict.fromkeys(("words", "words_by_site", "dispersion"), "words_by_page")
MADE_OF |= dict.fromkeys(("categories", "lemmas_by_site", "categories_by_site", "categories_by_page"), "lemmas_by_page")
"""Derived tables that are made of one that is made of the tokens."""

ORDER = {
    "pages": "url",
    "words": "count DESC, word",
    "lemmas": "count DESC, lemma, category",
    "words_by_category": "count DESC, word, category",
    "categories": "count DESC, category",
    "unknown": "document, start",
    "neologisms": "score DESC, count DESC, word",
    "segments": 'count DESC, length DESC, segment, "of"',
    "phrases": "count DESC, length DESC, phrase, lemmas, language",
    "collocations": "log_dice DESC, count DESC, first, second",
    "collocations_by_pattern": "log_dice DESC, count DESC, first, second, pattern, language",
    "category_pairs": "count DESC, distance, first, second",
    "regimes": "log_likelihood DESC, count DESC, word, preposition, language",
    "words_by_site": "host, count DESC, word",
    "lemmas_by_site": "host, count DESC, lemma, category",
    "categories_by_site": "host, count DESC, category",
    "dispersion": "count DESC, word",
    "measures": "document",
    "languages": "document, words DESC, language",
    "profiles": "document, part",
    "links": "document, url",
    "anchors": "links DESC, url, anchor",
    "ranks": "pagerank DESC, url",
    "fields": "document, name, text",
    "farms": "farm, member",
    "copies": "url",
    "texts": "document",
    "words_by_page": "document, count DESC, word",
    "lemmas_by_page": "document, count DESC, lemma, category",
    "categories_by_page": "document, count DESC, category",
}
