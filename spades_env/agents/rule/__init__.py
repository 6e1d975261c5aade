"""The rule bot."""
