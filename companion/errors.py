"""The one exception that means "the user gave us something we cannot use"."""


class InputError(ValueError):
    """Bad input: its text is one sentence that names what is wrong and where.

    The command line prints it on stderr and ends with exit code 2; nothing has been changed when it is raised.
    """
