"""Meters: Ceilometer's pipeline inside Ironic's process, and the feeder of what no simulated machine measures."""
