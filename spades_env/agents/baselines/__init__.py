"""Two bidders from the literature, and the simple card player they share."""
