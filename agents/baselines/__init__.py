"""Simple bidders, from the literature and learned, that share one simple player of cards."""
