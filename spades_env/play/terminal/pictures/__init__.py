"""Pictures that the terminal shows, drawn on a canvas. Nothing here knows a screen or a key."""
