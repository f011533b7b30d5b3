"""Workflows of one module each."""
