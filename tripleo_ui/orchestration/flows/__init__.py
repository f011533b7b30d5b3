"""One module for each family of workflows."""
