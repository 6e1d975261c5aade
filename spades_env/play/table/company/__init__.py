"""What a table has besides the game: characters who say something now and then, and people who only watch."""
