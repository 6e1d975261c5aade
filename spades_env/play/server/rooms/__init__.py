"""One live table: who sits there, who looks on, what they do and what time does."""
