"""Slices a page by a criterion: keeps what speaks of it, or hides it.

The meaning is written down in `docs/slicing.md`; `extension/core` has the same in JavaScript, and both give the same answers.
"""
