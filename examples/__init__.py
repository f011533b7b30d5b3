"""Examples that the guides show and the tests run."""
