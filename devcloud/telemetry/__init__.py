"""Telemetry: sensor readings through Ceilometer's pipeline, and a feeder of the meters that simulated hardware lacks."""
