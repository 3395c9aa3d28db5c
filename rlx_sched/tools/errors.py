"""How a run of `rlx-opt` ends early."""

EXIT_ERROR = 1
"""Errors in the input, in a pass, or in reading and writing files."""
EXIT_USAGE = 2
"""The command line makes no sense."""
EXIT_FINDINGS = 3
"""`--fail-on` found what it was to find."""
EXIT_INTERNAL = 70
"""A defect of rlx-opt itself; `EX_SOFTWARE` of BSD's sysexits.h."""
EXIT_INTERRUPTED = 130
"""Stopped by SIGINT: 128 and the number of the signal, as shells say it."""
EXIT_BROKEN_PIPE = 141
"""Nobody reads the output any more: what a process has that SIGPIPE stopped."""
EXIT_TERMINATED = 143
"""Stopped by SIGTERM."""


class UsageError(Exception):
    """The command line makes no sense: exit code 2."""


class Failed(Exception):
    """The input is wrong, and that has been reported: exit code 1."""


class FileError(Exception):
    """A file cannot be read or written: exit code 1."""
