"""What runs in a web page only: its server, its files, and what stands in for libraries that are not there."""
