"""The laws of docs/slicing.md, on random pages and criteria."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from support.slicing_vectors import LEXICON, make_tree, words_in, write_criterion, write_markup
from trasmallo.clean.flat import flatten
from trasmallo.clean.slicing.criterion import And, Not, Or, Tree, Xor, parse
from trasmallo.clean.slicing.matching import Matcher, WordComparison
from trasmallo.clean.slicing.meaning import Lexicon
from trasmallo.clean.slicing.page import PageArrays, from_flat
from trasmallo.clean.slicing.relevance import find_relevant
from trasmallo.clean.slicing.states import NodeState, restrict
from trasmallo.clean.slicing.steps import Slice, Step, slice_flat
from trasmallo.clean.slicing.tolerance import Tolerance
from trasmallo.values.errors import CriterionError

Case = tuple[PageArrays, Callable[[], Tree], random.Random]
MEANING = Lexicon(LEXICON)
READINGS = st.builds(
    WordComparison, st.sampled_from(["text", "attributes", "elements", "both"]), st.booleans(), st.booleans(), st.booleans()
)
TOLERANCES = st.builds(Tolerance, st.sampled_from(["levels", "near", "meaning"]), st.integers(0, 6))


def draw_case(seed: int) -> Case:
    chance = random.Random(seed)
    page = make_tree(chance, 30) if seed % 2 else from_flat(flatten(write_markup(chance, 40)))
    words = words_in(chance, page)

    def tree() -> Tree:
        while True:
            try:
                return parse(write_criterion(chance, words))
            except CriterionError:
                continue

    return page, tree, chance


cases = st.integers(0, 2**32).map(draw_case)


def found(page: PageArrays, tree: Tree, reading: WordComparison) -> list[int]:
    return find_relevant(Matcher(page, reading), tree).nodes.tolist()


def take(page: PageArrays, *steps: Step) -> Slice:
    return slice_flat(page, steps, MEANING)


def visible(page: PageArrays, result: Slice) -> set[tuple[int, int]]:
    """Every character that is shown and no blank, as node and place."""
    shown = set()
    for node in np.flatnonzero(page.is_text & page.readable & (result.states != NodeState.HIDDEN)).tolist():
        for start, end in result.parts.get(node, [(0, len(page.text[node]))]):
            shown |= {(node, place) for place in range(start, end) if not page.text[node][place].isspace()}
    return shown


def all_characters(page: PageArrays) -> set[tuple[int, int]]:
    return {
        (node, place)
        for node in np.flatnonzero(page.is_text & page.readable).tolist()
        for place, character in enumerate(page.text[node])
        if not character.isspace()
    }


@given(cases, READINGS)
def test_de_morgan(case: Case, reading: WordComparison) -> None:
    page, tree, _ = case
    one, other = tree(), tree()
    assert found(page, Not(And((one, other))), reading) == found(page, Or((Not(one), Not(other))), reading)
    assert found(page, Not(Or((one, other))), reading) == found(page, And((Not(one), Not(other))), reading)


@given(cases, READINGS)
def test_double_negation(case: Case, reading: WordComparison) -> None:
    page, tree, _ = case
    one = tree()
    assert found(page, Not(Not(one)), reading) == found(page, one, reading)


@given(cases, READINGS)
def test_xor(case: Case, reading: WordComparison) -> None:
    page, tree, _ = case
    one, other = tree(), tree()
    either = And((Or((one, other)), Not(And((one, other)))))
    assert found(page, Xor((one, other)), reading) == found(page, either, reading)


@given(cases, READINGS, st.integers(0, 3))
def test_counts(case: Case, reading: WordComparison, times: int) -> None:
    page, _, chance = case
    word = chance.choice(["madrid", "Agenda", "el", "gato", "niño"])
    most = found(page, parse(f"MAX({word}, {times})"), reading)
    assert found(page, parse(f"NOT MIN({word}, {times + 1})"), reading) == most
    assert found(page, parse(f"MIN({word}, 1)"), reading) == found(page, parse(word), reading)


@given(cases, READINGS)
def test_no_relevant_node_is_inside_another(case: Case, reading: WordComparison) -> None:
    page, tree, _ = case
    nodes = found(page, tree(), reading)
    assert all(page.end[one] <= other for one, other in pairwise(nodes))


@given(cases, READINGS, TOLERANCES)
def test_a_filter_and_its_inverse_share_the_page(case: Case, reading: WordComparison, tolerance: Tolerance) -> None:
    page, tree, _ = case
    one = tree()
    kept = visible(page, take(page, Step(one, tolerance=tolerance, reading=reading)))
    rest = visible(page, take(page, Step(one, tolerance=tolerance, reading=reading, inverse=True)))
    assert not kept & rest
    assert kept | rest == all_characters(page)


@given(cases, READINGS, st.sampled_from(["levels", "near", "meaning"]))
def test_tolerance_grows(case: Case, reading: WordComparison, kind: str) -> None:
    page, tree, _ = case
    one = tree()
    before: set[tuple[int, int]] = set()
    states = None
    for size in range(8):
        result = take(page, Step(one, tolerance=Tolerance(kind, size), reading=reading))  # type: ignore[arg-type]
        now = visible(page, result)
        assert before <= now
        if states is not None:
            assert not ((states != NodeState.HIDDEN) & (result.states == NodeState.HIDDEN)).any()
        before, states = now, result.states
    if result.relevant.size and (reading.reads_text or kind == "levels"):
        whole = take(page, Step(one, tolerance=Tolerance(kind, result.most), reading=reading))  # type: ignore[arg-type]
        assert visible(page, whole) == all_characters(page) or not matters(page, whole)


def matters(page: PageArrays, whole: Slice) -> bool:
    """Whether some found word has a place in the text: pictures alone are near to nothing."""
    return any(page.written.last[node] > page.written.first[node] for node in whole.relevant)


@given(cases, READINGS, TOLERANCES, TOLERANCES, st.booleans(), st.booleans())
def test_filtering_inside(
    case: Case, reading: WordComparison, first: Tolerance, second: Tolerance, one_inverse: bool, other_inverse: bool
) -> None:
    page, tree, _ = case
    outer = Step(tree(), tolerance=first, reading=reading, inverse=one_inverse)
    inner = Step(tree(), tolerance=second, reading=reading, inverse=other_inverse)
    at_once = take(page, outer, inner)
    left = take(page, outer)
    rest = restrict(page, left.states, left.parts)
    inside = take(rest.page, inner)
    moved = {(int(rest.origin[node]), place + int(rest.before[node])) for node, place in visible(rest.page, inside)}
    assert moved == visible(page, at_once)
    assert rest.origin[inside.relevant].tolist() == at_once.relevant.tolist()
    assert inside.reasons.tolist() == at_once.reasons.tolist()


@given(cases, READINGS, TOLERANCES, st.booleans())
def test_above_what_is_not_hidden_nothing_is(case: Case, reading: WordComparison, tolerance: Tolerance, inverse: bool) -> None:
    page, tree, _ = case
    result = take(page, Step(tree(), tolerance=tolerance, reading=reading, inverse=inverse))
    shown = np.flatnonzero(result.states != NodeState.HIDDEN)
    assert (result.states[page.above[shown[shown > 0]]] != NodeState.HIDDEN).all()
