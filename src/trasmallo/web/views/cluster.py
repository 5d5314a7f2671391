"""The machines that share the crawl of a project."""

from __future__ import annotations

import shlex

from trasmallo.crawl.shared.cluster_status import ClusterStatus
from trasmallo.web.pages import Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.projects import ProjectQuestion

pages = Pages()


class ClusterAnswer(PageAnswer, frozen=True, kw_only=True):
    """Where the shared crawl stands; None when this machine crawls alone."""

    status: ClusterStatus | None


@pages.get("/p/{project}/cluster", "cluster.html")
def show_cluster(visit: Visit, question: ProjectQuestion) -> ClusterAnswer:
    """Workers, leases and rates of a crawl that machines share, and why some of them idle."""
    project = visit.project(question.project)
    return ClusterAnswer(
        status=project.cluster() if project.config.cluster.frontier else None,
        command=shlex.join(["trasmallo", "cluster", str(project.folder)]),
        python=f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).cluster()\n",
    )
