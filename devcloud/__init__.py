"""Boots real OpenStack services as ordinary processes, for the demo and the tests."""
