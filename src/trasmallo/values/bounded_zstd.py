"""Decompression of zstd frames into a bounded number of bytes.

The library believes a frame that states its size: its own limit holds only for those that state none. A header of six bytes
would take any memory, whether somebody wrote it so or a bit fell over.
"""

from __future__ import annotations

import zstandard


def decompress(packed: bytes, most: int, by: zstandard.ZstdDecompressor | None = None) -> bytes:
    """The content of a frame, of at most so many bytes; raises ZstdError for a larger one, and for what is no frame.

    Who has many frames makes one decompressor and has all done `by` it.
    """
    if (stated := zstandard.frame_content_size(packed)) > most:
        raise zstandard.ZstdError(f"{stated} bytes are more than {most}")
    return (by or zstandard.ZstdDecompressor()).decompress(packed, max_output_size=most)
