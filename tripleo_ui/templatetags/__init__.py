"""Template tags of ours."""
