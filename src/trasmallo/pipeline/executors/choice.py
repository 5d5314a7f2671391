"""Which executor a project has."""

from __future__ import annotations

from trasmallo.config import Config
from trasmallo.pipeline.balance import number_of_agents
from trasmallo.pipeline.executors.interface import Executor
from trasmallo.pipeline.executors.on_ray import RayExecutor
from trasmallo.pipeline.executors.processes import ProcessExecutor


def choose_executor(config: Config) -> Executor:
    """A Ray cluster where `corpus` in [cluster] has its address, else processes of this machine."""
    agents = number_of_agents(config)
    address = config.cluster.corpus
    return RayExecutor(address, agents) if address else ProcessExecutor(agents)
