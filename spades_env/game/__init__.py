"""The game itself: cards, rules, the engine, what a seat may know, whole games and their records."""
