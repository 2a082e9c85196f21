"""Records to text: one renderer a file, each with `render`. What a report says stands in `_sections`, how it looks in the renderer."""
