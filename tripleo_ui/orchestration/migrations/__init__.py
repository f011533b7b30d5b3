"""Alembic migrations of our tables."""
