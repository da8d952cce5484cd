"""The table companion: rules, session, log, command line and the composition root."""

__version__ = "0.1.0"
