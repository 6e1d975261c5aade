"""The web server and its connections."""
