"""The deployment wizard: one URL per step, a draft on the server, nothing typed is ever lost."""
