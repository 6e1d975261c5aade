"""Code of your own in a run: networks, losses, rewards and callbacks that a recipe or a program names."""
