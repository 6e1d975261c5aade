"""What brings a person back: streaks, achievements, and what a finished game has changed."""
