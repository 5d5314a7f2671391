"""Which executor a project has."""

from __future__ import annotations

from pathlib import Path

from support.command_line import Done, call
from trasmallo import config, config_text
from trasmallo.config import ClusterConfig, Config
from trasmallo.pipeline.executors.choice import choose_executor
from trasmallo.project.project import Project


def test_a_cluster_is_used_where_its_address_is_said() -> None:
    assert not choose_executor(Config()).shared
    assert choose_executor(Config(agents=3)).size() == 3
    assert choose_executor(Config(cluster=ClusterConfig(corpus="ray://first:10001"))).shared


def test_what_is_wrong_with_an_address_is_one_line(tmp_path: Path) -> None:
    project = Project.new(tmp_path / "p")
    config_text.write(Config(cluster=ClusterConfig(corpus="nonsense://x")), project.folder / config.FILE_NAME)
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.html").write_text("<p>una página</p>")
    done: Done = call("import", tmp_path / "pages", "--into", project.folder)
    assert done.code == 1
    assert len(done.err.strip().splitlines()) == 1, done.err
    assert "Ray" in done.err
