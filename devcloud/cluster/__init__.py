"""Simulated clusters: one process with the API of Kubernetes or OpenShift, for real clients."""
