"""Drop sensors, pulse counting and cameras."""
