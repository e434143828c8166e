"""The command line as ``python -m cartagena``."""

import os


def main() -> None:
    """Run the command line. An interrupt while modules are imported ends it without a traceback."""
    try:
        from cartagena.cli import main as command_line
    except KeyboardInterrupt:
        os._exit(130)  # nothing is open yet, and the end of Python would show a second interrupt
    command_line()


if __name__ == "__main__":
    main()
