"""One thin client module for each external service."""
