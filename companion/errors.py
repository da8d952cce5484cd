"""The one exception that means "the user gave us something we cannot use"."""


class InputError(ValueError):
    """Bad input: its text is one sentence that names what is wrong and where.

    The command line prints it on stderr and ends with exit code 2; nothing has been changed when it is raised.
    """


class DamagedFile(InputError):
    """A file that is no longer what it was written as: a bad card, or an editor that saved half of it."""
