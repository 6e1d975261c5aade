"""What a person has to come back for: streaks, achievements, and what a finished game has changed."""
