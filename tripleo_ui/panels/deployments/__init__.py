"""Plans, and the overclouds that were made of them."""
