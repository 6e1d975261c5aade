"""What stands in a web page for libraries that are not there: it is copied beside our packages, not imported here."""
