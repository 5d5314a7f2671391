"""Experiments on a project: runs with several numbers of lines, and recognition with a memory of words."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from trasmallo.demo.site import Site
from trasmallo.project import lab
from trasmallo.project.project import Project
from trasmallo.study.recognition_speed import SpeedPoint
from trasmallo.values.drawing import encode
from trasmallo.values.errors import UsageError


def test_a_project_is_run_anew_with_each_number_of_lines(site: Site, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("la\n")
    project = Project.new(tmp_path / "p", site.seeds[:1], delay=0.0, lines_per_host=2)
    study = msgspec.structs.replace(project.config.study, stop="../own.txt", analyses=("words",))
    project.config = msgspec.structs.replace(project.config, study=study)
    before = {path.name for path in project.folder.iterdir()}
    one, three = lab.measure_lines(project, [1, 3], pages=5)
    assert [(each.lines, each.lines_per_host, each.pages) for each in (one, three)] == [(1, 1, 5), (3, 2, 5)]
    assert all(0 < each.download <= each.total for each in (one, three))
    assert {path.name for path in project.folder.iterdir()} == before, "the project stays as it was"


def test_without_addresses_there_is_nothing_to_measure(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no addresses to start from"):
        list(lab.measure_lines(Project.new(tmp_path / "p"), [1]))


def test_words_of_a_corpus_are_recognised_faster_with_a_memory(finished: Project) -> None:
    points = lab.measure_cache(finished, words=2_000)
    assert len(points) == lab.POINTS
    assert points[-1].words == 2_000
    assert points[-1].different < 2_000, "words come again"
    project = Project(finished.folder, msgspec.structs.replace(finished.config, language="xx"))
    with pytest.raises(UsageError, match="no words in xx"):
        lab.measure_cache(project)


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_figures_are_drawn(suffix: str) -> None:
    lines = [lab.LinesMeasured(lines=n, lines_per_host=n, pages=9, download=10 / n, total=12 / n) for n in (1, 2, 5)]
    speeds = [SpeedPoint(words=100 * n, different=n, without_memory=9.0, with_memory=9.0 * n) for n in (1, 2, 3)]
    for drawing in (lab.draw_lines(lines, "demo"), lab.draw_cache(speeds, "demo")):
        content = encode(drawing, suffix)
        if suffix == ".svg":
            texts = "".join(ElementTree.fromstring(content).itertext())
            assert "demo" in texts
            assert ("in all" in texts) or ("with a memory of words" in texts)
        else:
            assert content.startswith(b"\x89PNG")
