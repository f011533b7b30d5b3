"""Measurements: ``python -m benchmarks`` prints them as JSON. They are never asserted: machines differ."""
