"""The command line as ``python -m cartagena``."""

import sys


def main() -> None:
    """Run the command line. An interrupt while modules are imported ends it without a traceback."""
    try:
        from cartagena.cli import main as command_line
    except KeyboardInterrupt:
        sys.exit(130)
    command_line()


if __name__ == "__main__":
    main()
