"""What was asked of the orchestrator, and what became of it."""
