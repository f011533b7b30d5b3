"""One package for each panel of the dashboard."""
