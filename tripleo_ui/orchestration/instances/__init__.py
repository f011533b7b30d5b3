"""Instances: what is asked for, whether it can be, and where it goes."""
