"""Frames in, settled readings out. Knows no game: it is handed a profile."""
