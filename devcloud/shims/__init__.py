"""Small modules that make unmodified services run on SQLite, without a broker, in one process each."""
