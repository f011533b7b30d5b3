"""How far the cloud is, and what to do next."""
