"""Tests show no windows."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"
