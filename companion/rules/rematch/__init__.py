"""Re;MATCH: Marble Puzzle Fighter."""
