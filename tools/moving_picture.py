"""Draw the moving picture of the README: a game of two computer players, as an animated WebP file."""

import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright
from tests.web.rig import FLAGS, chromium

from cartagena import Game, create_player

OUT = Path(__file__).parent.parent / "docs" / "images" / "game.webp"
SIZE = (600, 328)
FRAMES = 26
SEED = 4


def positions() -> list[str]:
    """The pictures of a game, one after each turn, evenly taken from its beginning to its end."""
    game = Game.new("tortuga-en", seats=3, seed=SEED, pirates=4, pieces=4)
    players = [create_player("gunner", seat) for seat in range(3)]
    drawn = [game.svg()]
    while not game.is_over:
        move = players[game.turn - 1].decide(game.view(game.turn))
        game.play(move)
        if str(move) == "end" or game.is_over:
            drawn.append(game.svg())
    step = max(1, len(drawn) // FRAMES)
    return [*drawn[:-1:step], drawn[-1]]


def main() -> None:
    """Write the file."""
    frames = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        for svg in positions():
            page.set_content(f'<body style="margin:0">{svg}</body>')
            frames.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
        browser.close()
    times = [900] * (len(frames) - 1) + [4000]
    frames[0].save(OUT, save_all=True, append_images=frames[1:], duration=times, loop=0, quality=14, method=6)


if __name__ == "__main__":
    main()
