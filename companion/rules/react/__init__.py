"""Re;ACT: The Arts of War."""
