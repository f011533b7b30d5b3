"""Requests with finite states: the store, the flows and the conductor."""
