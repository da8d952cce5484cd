"""`companion doctor`: what this machine has for the table, each finding with its one fix."""
