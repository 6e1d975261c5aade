"""What the page may ask for."""
