"""A table as text and as a picture."""
