"""Draw the icons of the installed page from web/public/icon.svg: python tools/icons.py (needs Chromium).

The maskable icon fills its square, with the picture inside the circle that every system keeps.
"""

import re
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright
from tests.web.rig import FLAGS, chromium

PUBLIC: Final = Path(__file__).resolve().parents[1] / "web/public"
SAFE: Final = 0.78
"""The share of a maskable icon's width that the picture takes."""


def maskable(picture: str) -> str:
    """The same picture on a full square."""
    edge = 12 * (1 - SAFE)
    square, rest = re.sub(r' rx="[\d.]+"', "", picture).split("/>", 1)
    inside = rest.strip().removesuffix("</svg>")
    return f'{square}/><g transform="translate({edge} {edge}) scale({SAFE})">{inside}</g></svg>'


def main() -> None:
    picture = (PUBLIC / "icon.svg").read_text()
    wanted = {"icon-192": (picture, 192), "icon-512": (picture, 512), "icon-maskable-512": (maskable(picture), 512)}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for name, (svg, size) in wanted.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>body{{margin:0}}svg{{width:{size}px;display:block}}</style>{svg}")
            page.screenshot(path=PUBLIC / f"{name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
