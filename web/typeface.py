"""Make the page's typeface from Bitter, an npm package: python -m web.typeface

It writes spades_env/play/page/type/, which is committed: two files, of which a browser loads the second only for names
that need it, and the licence. Of the typeface they hold the Latin letters of Europe, digits and signs, in the weights
that the page uses. Needs npm, and fonttools and brotli from PyPI.
"""

import base64
import hashlib
import shutil
import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

PACKAGE = "@fontsource-variable/bitter@5.3.0"
SHA512 = "TNGusdX+fjWE2b8pTG7kH1A615DbjjSj8/PwVm+iyiFiLFtioHXt6eH5jIFE2kmiA3Ogp03jEyZDsukotzC+4Q=="
WEIGHTS = (400, 800)
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "rvrn", "tnum", "lnum"]
LETTERS = {  # by file; typeface.css has the same ranges
    "latin": [*range(0x20, 0x7F), *range(0xA0, 0x100), *(ord(sign) for sign in "ıŒœ–’“”„…−")],
    "latin-ext": [*(code for code in range(0x100, 0x180) if chr(code) not in "ıŒœ"), *range(0x218, 0x21C), 0x1E9E],
}
OUT = Path(__file__).parent.parent / "spades_env" / "play" / "page" / "type"


def make(out: Path = OUT) -> None:
    with TemporaryDirectory() as folder:
        package = _fetch(Path(folder))
        out.mkdir(exist_ok=True)
        shutil.copy(package / "LICENSE", out / "OFL.txt")
        for name, letters in LETTERS.items():
            _cut(package / "files" / f"bitter-{name}-wght-normal.woff2", letters, out / f"bitter-{name}.woff2")


def _fetch(folder: Path) -> Path:
    """Return the folder of the package; ValueError if it is not the one we know."""
    packed = subprocess.check_output(["npm", "pack", "--silent", PACKAGE], cwd=folder, text=True)
    archive = folder / packed.strip()
    if base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode() != SHA512:
        raise ValueError(f"{PACKAGE} has another hash")
    with tarfile.open(archive) as files:
        files.extractall(folder, filter="data")
    return folder / "package"


def _cut(source: Path, letters: list[int], out: Path) -> None:
    """Write a typeface with these letters alone, and our weights."""
    font = instantiateVariableFont(TTFont(source, recalcTimestamp=False), {"wght": WEIGHTS})
    options = Options(layout_features=FEATURES, name_IDs=["*"])  # the names hold the copyright
    cutter = Subsetter(options)
    cutter.populate(unicodes=letters)
    cutter.subset(font)
    font.flavor = "woff2"
    font.save(out)


if __name__ == "__main__":
    make()
