"""A small project whose three documents name persons, places, an organisation and drugs."""

from __future__ import annotations

from pathlib import Path

from trasmallo.project.project import Project

TEXTS = {
    "a.txt": "Ana Pérez vive en Soria desde el 3 de mayo de 2020. Pérez toma aspirinas de 500 mg. "
    "La Universidad Politécnica de Madrid (UPM) investiga.",
    "b.txt": "El presidente Juan Gómez habló con A. Pérez en Soria. Todos los vecinos de la ciudad escucharon. La UPM calló.",
    "c.txt": "Ana Perez trabaja en Soria con Juan Gómez y toma ibuprofeno. Vive en la calle Mayor y compra pan cada día.",
}


def make_entity_project(folder: Path) -> Project:
    """The project, imported and studied, with the kind DRUG by a list and DOSE by a pattern."""
    source, home = folder / "docs", folder / "project"
    source.mkdir()
    for name, text in TEXTS.items():
        (source / name).write_text(text, "utf-8")
    project = Project.new(home, language="es")
    (home / "drugs.txt").write_text("# names\naspirina\tN02BA01\nibuprofeno\n", "utf-8")
    project.add_list("DRUG", home / "drugs.txt", inflected=True)
    project.add_pattern("DOSE", '[ent="QUANTITY"]+', before='[ent="DRUG"]+ "de"')
    project.import_file(source)
    return project


def document_of(project: Project, name: str) -> str:
    """The id of a document by the name of its file."""
    return next(str(row["document"]) for row in project.table("pages") if str(row["url"]).endswith(name))
