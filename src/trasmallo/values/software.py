"""The name and version under which the program presents itself."""

from __future__ import annotations

__version__ = "0.2.0"

SOFTWARE = f"trasmallo/{__version__}"
"""As in User-Agent headers, WARC files and exports."""
