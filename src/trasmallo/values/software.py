"""The name and version under which the program presents itself."""

from __future__ import annotations

from trasmallo import __version__

SOFTWARE = f"trasmallo/{__version__}"
"""As in User-Agent headers, WARC files and exports."""
