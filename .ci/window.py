"""Drives `kinetree view` in a real window on a virtual display: opens a model, plays it, pulls at a body, breaks the file and mends it.

Usage: window.py KINETREE [--save FOLDER] [--renew]. Needs Xvfb, xdotool, xwd and NumPy; says that it was skipped where one is missing.
"""

import argparse
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import numpy as np

ROOT = pathlib.Path(__file__).parents[1]
MODEL = ROOT / "crates/cli/models/humanoid.xml"
STORED = ROOT / "docs/images/viewer.png"
SCREEN = (1280, 800)
# where the panel of the selected body and the picture are
INSPECTOR, PICTURE = np.s_[45:380, 975:], np.s_[45:760, 260:960]
# a view from the side
VIEW = '<visual><global azimuth="140" elevation="-20"/></visual>'
# colour of the word "error" in the dark theme
ERROR = np.array([255, 107, 107])
# most of a colour by which pixels differ from the stored picture, and share of those that differ by more than a shade
MEAN, SHARE, SHADE = 3.0, 0.02, 24


def read_xwd(data):
    """Pixels of a window dump: red, green and blue."""
    words = struct.unpack(">25I", data[:100])
    header, width, height, bits, stride, colors = words[0], words[4], words[5], words[11], words[12], words[19]
    if bits != 32:
        sys.exit(f"a screen of 32 bits per pixel is needed, not {bits}")
    start = header + 12 * colors
    rows = np.frombuffer(data[start : start + stride * height], np.uint8).reshape(height, stride)
    return rows[:, : 4 * width].reshape(height, width, 4)[:, :, 2::-1].copy()


def write_png(path, image):
    """Saves pixels as a PNG file."""
    height, width, _ = image.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), image.reshape(height, -1)], axis=1).tobytes()

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + data)


def read_png(path):
    """Pixels of a file that `write_png` has written."""
    data, at, body = path.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        part = data[at + 8 : at + 8 + size]
        at += size + 12
        if kind == b"IHDR":
            width, height = struct.unpack(">II", part[:8])
        elif kind == b"IDAT":
            body += part
    return np.frombuffer(zlib.decompress(body), np.uint8).reshape(height, 1 + 3 * width)[:, 1:].reshape(height, width, 3)


class Screen:
    """A virtual display with the viewer on it."""

    def __init__(self, command, folder, save):
        self.save = save
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", "1", "-screen", "0", f"{SCREEN[0]}x{SCREEN[1]}x24", "-nolisten", "tcp", "-noreset"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )
        number = self.server.stdout.readline().decode().strip()
        self.environment = {"DISPLAY": f":{number}", "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": str(folder), "HOME": str(folder)}
        # the server tells its number before it accepts connections; without `-noreset` it would refuse them again, for a moment, when the
        # last client disconnects
        for _ in range(100):
            if self.run("xdotool", "getdisplaygeometry"):
                break
            time.sleep(0.1)
        else:
            sys.exit(f"the virtual display :{number} accepts no connection")
        self.log = (folder / "log.txt").open("wb")
        self.viewer = subprocess.Popen(command, env=self.environment, stdout=self.log, stderr=self.log)

    def run(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, check=False).stdout

    def mouse(self, *words):
        self.run("xdotool", *map(str, words))

    def key(self, name):
        self.run("xdotool", "key", name)

    def focus(self):
        """Waits for the window and gives it the keyboard: there is no window manager to do so."""
        window = self.until("a window", lambda: self.run("xdotool", "search", "--onlyvisible", "--name", "Kinetree").split())[0]
        self.run("xdotool", "windowfocus", window.decode())

    def shot(self, name=None):
        image = read_xwd(self.run("xwd", "-root", "-silent"))
        if name and self.save:
            write_png(self.save / f"{name}.png", image)
        return image

    def until(self, what, done, seconds=90):
        """Waits until something holds, and returns it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = done()
            if found is not None and found is not False and len(found):
                return found
            if self.viewer.poll() is not None:
                sys.exit(f"the viewer has ended while waiting for {what}: {self.words()}")
            time.sleep(0.1)
        self.shot("in_vain")
        sys.exit(f"in vain: {what}: {self.words()}")

    def changes(self, what, before, part):
        """Waits until a part of the screen looks different, and returns the screen."""
        def differs():
            now = self.shot()
            return now if share(before[part], now[part]) > 0.01 else None

        return self.until(what, differs)

    def still(self, what, seconds=90):
        """Waits until the picture rests, and returns it."""
        last = [self.shot()]

        def rests():
            time.sleep(0.3)
            now = self.shot()
            same, last[0] = np.array_equal(now, last[0]), now
            # a window that is still empty has few colours
            return now if same and len(np.unique(now.reshape(-1, 3)[::17], axis=0)) > 100 else None

        return self.until(what, rests, seconds)

    def words(self):
        return pathlib.Path(self.log.name).read_text(errors="replace")[-2000:]

    def end(self):
        for process in (self.viewer, self.server):
            if process.poll() is None:
                process.terminate()
                process.wait(10)


def share(a, b):
    """Share of the pixels that differ visibly."""
    return float((np.abs(a.astype(int) - b).max(axis=2) > SHADE).mean())


def errors(image):
    """Pixels in the colour of errors."""
    return int((np.abs(image.astype(int) - ERROR).max(axis=2) < 30).sum())


def figure(image):
    """The middle of what has the colour of skin."""
    red, green, blue = np.moveaxis(image[PICTURE].astype(int), 2, 0)
    rows, columns = np.nonzero((red > green + 25) & (green > blue + 10))
    if len(rows) < 500:
        sys.exit("failed: the humanoid is not in the picture")
    return int(np.median(columns)) + PICTURE[1].start, int(np.percentile(rows, 45)) + PICTURE[0].start


def check(holds, what):
    if not holds:
        sys.exit(f"failed: {what}")
    print(f"ok: {what}")


def drive(screen, file, renew):
    """What a user does."""
    screen.focus()
    # away from all widgets
    screen.mouse("mousemove", 640, 440)
    screen.until("the panels", lambda: [1] if len(np.unique(screen.shot()[PICTURE].reshape(-1, 3)[::7], axis=0)) > 300 else None)
    opened = screen.still("a picture of the model")
    figure(opened)
    screen.shot("opened")
    if renew:
        write_png(STORED, opened)
    stored = read_png(STORED)
    mean = float(np.abs(opened.astype(int) - stored).mean())
    check(mean < MEAN and share(opened, stored) < SHARE, f"the window looks as stored (mean difference {mean:.2f})")

    screen.key("space")
    screen.changes("the model to move", opened, PICTURE)
    screen.key("space")
    screen.still("a pause")
    screen.shot("played")
    print("ok: the model moves when it is played")

    screen.key("BackSpace")
    screen.until("the first state", lambda: [1] if share(opened[PICTURE], screen.shot()[PICTURE]) < 0.001 else None)
    x, y = figure(opened)
    screen.mouse("mousemove", x, y)
    time.sleep(0.5)
    for _ in range(2):
        screen.mouse("click", 1)
        time.sleep(0.05)
    selected = screen.changes("the name of the selected body", opened, INSPECTOR)
    print("ok: a double click selects a body")
    screen.mouse("keydown", "ctrl", "mousedown", 3)
    for step in range(1, 9):
        screen.mouse("mousemove", x + 8 * step, y - 10 * step)
        time.sleep(0.05)
    pulled = screen.changes("the body to move", selected, PICTURE)
    time.sleep(1)
    screen.shot("pulled")
    screen.mouse("mouseup", 3, "keyup", "ctrl")
    print("ok: a pull moves the body")

    good = file.read_text()
    calm = errors(screen.still("rest after the pull"))
    file.write_text(good.replace("<geom ", "<geom siez='1' ", 1))
    screen.until("a message about the fault", lambda: [1] if errors(screen.shot()) > calm + 150 else None)
    broken = screen.still("the message")
    screen.shot("broken")
    check(share(pulled, broken) < 0.5, "the fault is shown, and the model is kept")
    file.write_text(good)
    screen.until("the message to go", lambda: [1] if errors(screen.shot()) < calm + 50 else None)
    screen.still("the mended model")
    screen.shot("mended")
    check(True, "the message goes when the file is mended")

    screen.key("ctrl+p")
    saved = file.parent / "kinetree-1.png"
    screen.until("a saved picture", lambda: [1] if saved.exists() and saved.read_bytes().endswith(b"IEND\xaeB`\x82") else None)
    check(True, "a picture is saved")
    screen.key("ctrl+q")
    check(screen.viewer.wait(30) == 0, "closing the window ends the program")


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinetree", type=pathlib.Path)
    parser.add_argument("--words", nargs="*", default=["view"], help="words before the model")
    parser.add_argument("--save", type=pathlib.Path, help="folder for pictures of the screen")
    parser.add_argument("--renew", action="store_true", help="store the picture that others are compared with")
    arguments = parser.parse_args()
    missing = [tool for tool in ("Xvfb", "xdotool", "xwd") if shutil.which(tool) is None]
    if missing:
        print(f"skipped: {', '.join(missing)} not installed")
        return
    if arguments.save:
        arguments.save.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        file = folder / "humanoid.xml"
        file.write_text(MODEL.read_text().replace("<asset>", VIEW + "<asset>", 1))
        command = [arguments.kinetree.resolve(), *arguments.words, "humanoid.xml", "--paused", "--out", folder]
        screen = Screen(["env", "-C", folder, *command], folder, arguments.save)
        try:
            drive(screen, file, arguments.renew)
        finally:
            screen.end()


if __name__ == "__main__":
    main()
