"""How much memory the C library has given out in this process, to the byte: a leak of hundreds of bytes a question is seen."""

from __future__ import annotations

import ctypes

IS_TOLD = hasattr(ctypes.CDLL(None), "mallinfo2")
"""Whether the C library tells it: GNU's does."""


class _Allocated(ctypes.Structure):
    _fields_ = [(f"field{number}", ctypes.c_size_t) for number in range(10)]


def allocated() -> int:
    """Bytes that are in use, in arenas and mapped."""
    told = ctypes.CDLL(None).mallinfo2
    told.restype = _Allocated
    now = told()
    return int(now.field7 + now.field4)
