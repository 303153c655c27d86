"""Solve the lock files again from pyproject.toml, for every promised Python and system at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# No index, host or local folder may stand in a lock: whoever installs it has their own.
FLAGS = (
    *("--universal", "--python-version", "3.11", "--generate-hashes"),
    *("--no-emit-index-url", "--no-emit-find-links", "--no-annotate", "--no-header", "--quiet"),
)
# The other locks keep the versions of the first, so that one .venv serves all.
LOCKS = (
    ("-o", "requirements.lock"),
    ("--extra", "dev", "-c", "requirements.lock", "-o", "requirements-dev.lock"),
    ("--extra", "encoder", "-c", "requirements.lock", "-o", "requirements-encoder.lock"),
    ("--extra", "bench", "-c", "requirements-dev.lock", "-o", "requirements-bench.lock"),
)


def main(options: list[str]) -> int:
    """Solve the locks in turn; options such as --upgrade go to uv."""
    uv = [sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml", *FLAGS]
    for lock in LOCKS:
        if code := subprocess.call([*uv, *lock, *options], cwd=ROOT):
            return code
        print(f"written: {lock[-1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
