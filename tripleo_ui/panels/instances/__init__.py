"""Servers of the project, and the requests that make and delete them."""
