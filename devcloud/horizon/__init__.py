"""The dashboard of the cloud: its settings and its static files."""
