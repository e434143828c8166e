"""Windows are not shown in tests."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"
