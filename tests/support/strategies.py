"""One home for the hypothesis strategies that several tests share."""

from __future__ import annotations

from hypothesis import strategies as st

hosts = st.sampled_from(
    ["example.org", "EXAMPLE.org.", "a.b.co.uk", "xn--caf-dma.es", "café.es", "127.0.0.1", "[::1]", "h1.test", "user:pw@h.es"]
)
ports = st.sampled_from(["", ":80", ":443", ":8080", ":65535", ":99999"])
pieces = st.text(alphabet="aZ09._~-%/2eE3f?&=#@:;,+ '\"<>ñ\t", max_size=24)
tracked = st.sampled_from(["", "?utm_source=x", "?a=1&utm_medium=y&b=2", "?fbclid=", "?", "?FBCLID=1&", "?&&"])

urls = st.builds(
    lambda scheme, host, port, path, query: f"{scheme}://{host}{port}/{path}{query}",
    st.sampled_from(["http", "https", "HTTP"]),
    hosts,
    ports,
    pieces,
    tracked,
)
"""Addresses as pages really have them: odd escapes, tracking, default ports, other alphabets; some are no addresses at all."""
