"""Ironic's hardware type ``simulated``: no machine behind it, but everything a machine tells and refuses."""
