"""Reinforcements: what lies open on the table is kept, what is hidden is only counted. Pure."""
