"""Records to text: one renderer a file, each with `render`. What a report says stands in `_sections`, how it looks in the renderer."""

NOT_PLUG_INS = frozenset({"page"})
"""Modules of this folder that are not renderers."""
