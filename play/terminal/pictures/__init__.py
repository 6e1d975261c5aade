"""What the terminal draws, as text with styles. Nothing here knows a screen or a key."""
