"""Files that are written completely or not at all."""

import os
import secrets
import shutil
from pathlib import Path

from cartagena.errors import CartagenaError, shown, shown_path


def as_path(name: str | Path) -> Path:
    """The file of that name. Raises CartagenaError for what cannot be a name of a file.

    >>> as_path("")
    Traceback (most recent call last):
    cartagena.CartagenaError: a file name is text of at least one character, not ''
    """
    if not isinstance(name, str | os.PathLike) or not str(name) or not is_text(str(name)):
        raise CartagenaError(f"a file name is text of at least one character, not {shown(name)}")
    return Path(name)


def is_text(name: str) -> bool:
    """Whether the system can take the name: it has no NUL and no half of a character."""
    try:
        return b"\0" not in os.fsencode(name)
    except UnicodeEncodeError:
        return False


def write_whole(path: str | Path, data: bytes | str) -> None:
    """Write a file, completely or not at all; text as UTF-8. Raises CartagenaError with the reason.

    A symbolic link stays one. A device or a pipe is written to directly. Each call has a draft of its own, so that
    programs that write the same file do not mix their data.

    >>> from tempfile import mkdtemp
    >>> file = Path(mkdtemp()) / "game.txt"
    >>> write_whole(file, b"first")
    >>> file.read_bytes()
    b'first'
    """
    target = as_path(path)
    try:
        content = data.encode("utf-8") if isinstance(data, str) else data
        if target.is_symlink():
            target = target.resolve()
        if target.exists() and not target.is_file():
            target.write_bytes(content)
        else:
            replace(target, content)
    except UnicodeEncodeError:
        raise CartagenaError(f"{shown_path(path)}: cannot be written: it has characters that are not text") from None
    except OSError as error:
        raise CartagenaError(f"{shown_path(path)}: cannot be written: {error.strerror or 'unwritable'}") from None


def replace(target: Path, data: bytes) -> None:
    """Write a draft beside the file, then put it in the file's place. The permissions of the file stay."""
    draft = target.with_name(f".{secrets.token_hex(6)}.part")
    try:
        with draft.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, draft)
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
