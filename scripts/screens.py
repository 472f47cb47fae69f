"""Take the pictures of docs/page.md: `make screens`. They show the scene that the tests of the page use."""

import struct
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from page import scene  # noqa: E402
from page.browser import Browser  # noqa: E402
from page.served import Served  # noqa: E402
from page.test_page import SCREENS, SESSION  # noqa: E402

COLOURS, FREQUENT = 256, 192
SIZE = (1180, 800)
DARK = ("overview",)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        box = scene.folder(Path(folder))
        box.settings["RECOLLECT_RECALL__VECTORS"] = "on"  # as it is at a user's
        scene.make(box)
        scene.pending(box)
        with Served.open(box) as served:
            browser = Browser()
            try:
                shoot(browser, served)
            finally:
                browser.close()


def shoot(browser: Browser, served: Served) -> None:
    """Save a picture of each screen."""
    browser.size(*SIZE)
    for name, path in SCREENS.items():
        browser.colours("dark" if name in DARK else "light")
        served.sign_in(browser)
        address = path.replace(SESSION, "055c0ffe-e0f1-4a55-9c5e-1d0a6f3b7c05")
        browser.go(served.base + address)
        if name == "overview":
            browser.until("document.documentElement.dataset.plots === 'drawn'")
        place = ROOT / "docs" / f"page-{name}.png"
        place.write_bytes(smaller(browser.picture()))
        print(f"{place.relative_to(ROOT)}: {place.stat().st_size:,} bytes")


# -- pictures with a palette, a third of the size ---------------------------------------------------------------------


def smaller(png: bytes) -> bytes:
    """Return a picture with 256 of its colours; every other pixel gets the nearest of them."""
    pixels = decode(png)
    colours, places, numbers = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    chosen = _palette(colours[np.argsort(-numbers)].astype(np.int32))
    nearest = np.array([np.argmin(((chosen - colour) ** 2).sum(axis=1)) for colour in colours.astype(np.int32)])
    indexed = nearest[places.reshape(-1)].astype(np.uint8).reshape(pixels.shape[:2])
    height, width = indexed.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), indexed], axis=1)
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", chosen.astype(np.uint8).tobytes()),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in parts)


def _palette(
    colours: "np.ndarray[tuple[int, int], np.dtype[np.int32]]",
) -> "np.ndarray[tuple[int, int], np.dtype[np.int32]]":
    """Return the most frequent colours, then those that are least like any of them: a small dot keeps its hue."""
    chosen = list(colours[:FREQUENT])
    away = np.min([((colours - colour) ** 2).sum(axis=1) for colour in chosen], axis=0)
    while len(chosen) < min(COLOURS, len(colours)):
        chosen.append(colours[int(np.argmax(away))])
        away = np.minimum(away, ((colours - chosen[-1]) ** 2).sum(axis=1))
    return np.array(chosen)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def decode(png: bytes) -> "np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]":
    """Return the pixels of a picture of eight bits a channel, as the browser makes them: rows, columns, RGB."""
    place, data, size = 8, b"", (0, 0, 0)
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        name, part = png[place + 4 : place + 8], png[place + 8 : place + 8 + length]
        if name == b"IHDR":
            width, height, _, kind = struct.unpack(">IIBB", part[:10])
            size = (height, width, 4 if kind == 6 else 3)
        data += part if name == b"IDAT" else b""
        place += length + 12
    height, width, depth = size
    rows = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, width * depth + 1)
    pixels = np.zeros((height, width * depth), np.uint8)
    for number, row in enumerate(rows):
        above = pixels[number - 1] if number else np.zeros(width * depth, np.uint8)
        pixels[number] = _unfiltered(int(row[0]), row[1:], above, depth)
    return pixels.reshape(size)[:, :, :3]


def _unfiltered(kind: int, row: "np.ndarray", above: "np.ndarray", depth: int) -> "np.ndarray":  # type: ignore[type-arg]
    """Return a row without its PNG filter: none, left, above, mean of both, Paeth."""
    if kind == 0:
        return row
    if kind == 2:
        return row + above
    found = row.astype(np.int32).reshape(-1, depth)
    upper = above.astype(np.int32).reshape(-1, depth)
    if kind == 1:
        return (np.cumsum(found, axis=0) % 256).astype(np.uint8).reshape(-1)
    left, corner = np.zeros(depth, np.int32), np.zeros(depth, np.int32)
    for column in range(len(found)):
        over = upper[column]
        guess = (left + over) // 2 if kind == 3 else _paeth(left, over, corner)
        left = found[column] = (found[column] + guess) % 256
        corner = over
    return found.astype(np.uint8).reshape(-1)


def _paeth(left: "np.ndarray", over: "np.ndarray", corner: "np.ndarray") -> "np.ndarray":  # type: ignore[type-arg]
    guess = left + over - corner
    away = abs(guess - left), abs(guess - over), abs(guess - corner)
    first = np.where((away[0] <= away[1]) & (away[0] <= away[2]), left, over)
    return np.where((away[0] <= away[1]) & (away[0] <= away[2]), first, np.where(away[1] <= away[2], over, corner))


if __name__ == "__main__":
    main()
