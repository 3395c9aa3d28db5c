"""How a run of one of the tools ends early."""

EXIT_ERROR = 1
"""Errors in the input, in a pass, or in reading and writing files."""
EXIT_USAGE = 2
"""The command line makes no sense."""
EXIT_FINDINGS = 3
"""`--fail-on` found what it was to find."""
EXIT_INTERNAL = 70
"""A defect of the tool itself; `EX_SOFTWARE` of BSD's sysexits.h."""
EXIT_HANGUP = 129
"""Stopped by SIGHUP, when its terminal was closed."""
EXIT_INTERRUPTED = 130
"""Stopped by SIGINT: 128 and the number of the signal, as shells say it; so for the other signals."""
EXIT_BROKEN_PIPE = 141
"""Nobody reads the output any more: what a process has that SIGPIPE stopped."""
EXIT_TERMINATED = 143
"""Stopped by SIGTERM."""


class UsageError(Exception):
    """The command line makes no sense: exit code 2.

    The help of `command`, by default the tool's, says what does. Without `see_help` the message says it already.
    """

    def __init__(self, message: str, command: str | None = None, *, see_help: bool = True):
        super().__init__(message)
        self.command = command
        self.see_help = see_help


class Failed(Exception):
    """What was asked for cannot be done: exit code 1. The message is what is left to say; none if all is reported."""


class FileError(Exception):
    """A file cannot be read or written: exit code 1."""
