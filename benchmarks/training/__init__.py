"""How fast training plays and learns, also beside MaskablePPO."""
