"""The supervising parent: starts services in order, watches them, restarts them, and leaves nothing behind."""
