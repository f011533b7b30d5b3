"""The Catalog panel."""
