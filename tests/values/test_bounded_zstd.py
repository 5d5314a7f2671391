"""Frames that are too large, or say that they are."""

from __future__ import annotations

import pytest
import zstandard

from trasmallo.values.bounded_zstd import decompress

CONTENT = bytes(range(256)) * 40
MAGIC, ONE_SEGMENT_OF_EIGHT_BYTES = b"\x28\xb5\x2f\xfd", b"\xe0"


@pytest.mark.parametrize("states_size", [True, False])
def test_content_of_at_most_so_many_bytes(states_size: bool) -> None:
    packed = zstandard.ZstdCompressor(write_content_size=states_size).compress(CONTENT)
    assert decompress(packed, len(CONTENT)) == CONTENT
    with pytest.raises(zstandard.ZstdError):
        decompress(packed, len(CONTENT) - 1)


@pytest.mark.parametrize("stated", [1 << 36, 1 << 62])
def test_a_header_that_wants_all_memory_gets_none(stated: int) -> None:
    with pytest.raises(zstandard.ZstdError, match="are more than"):
        decompress(MAGIC + ONE_SEGMENT_OF_EIGHT_BYTES + stated.to_bytes(8, "little") + CONTENT, 1_000_000)


@pytest.mark.parametrize("packed", [b"", b"no frame at all", MAGIC])
def test_what_is_no_frame_is_an_error(packed: bytes) -> None:
    with pytest.raises(zstandard.ZstdError):
        decompress(packed, 1_000)
