"""Pictures that pages hold."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.results.graphs import Edge, Graph, Node
from trasmallo.web.plots import chart_of, sheet_of

points = st.lists(st.tuples(st.floats(0, 1e9), st.floats(0, 1e9)), min_size=1, max_size=12)


@settings(deadline=None)
@given(st.lists(points, max_size=6))
def test_curves_stay_on_the_sheet(curves: list[list[tuple[float, float]]]) -> None:
    chart = chart_of([(str(number), curve) for number, curve in enumerate(curves)])
    for curve in chart.curves:
        for point in curve.points.split():
            x, y = map(float, point.split(","))
            assert chart.left - 0.1 <= x <= chart.right + 0.1
            assert chart.top - 0.1 <= y <= chart.bottom + 0.1
    levels = sorted(curve.y for curve in chart.curves)
    assert all(after - before >= 15.9 for before, after in pairwise(levels))
    assert all(chart.left <= place <= chart.right + 0.1 for place, _ in chart.across)


def test_a_graph_as_it_is_drawn() -> None:
    graph = Graph((Node("casa", size=9.0), Node("blanca", size=1.0)), (Edge(0, 1, 5.0, 3),), 0)
    sheet = sheet_of(graph, lambda node: f"?word={node.name}", lambda node: node.name)
    assert [dot.address for dot in sheet.dots] == ["?word=casa", "?word=blanca"]
    assert sheet.dots[0].centre
    assert sheet.dots[0].radius > sheet.dots[1].radius
    assert all(0 < dot.x < sheet.width and 0 < dot.y < sheet.height for dot in sheet.dots)
    assert sheet_of(Graph((), ()), str, str).dots == ()
