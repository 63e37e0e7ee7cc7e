"""A table with people and agents around it, without a web server."""
