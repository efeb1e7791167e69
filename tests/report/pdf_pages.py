"""How full the pages of a PDF are, by the boxes of its words."""

import re
import subprocess

TOP, BOTTOM = 0.052, 0.94
"""Where the body of a page begins and ends, as shares of its height."""
HEADING = 12.0
"""Height from which on a first word is the number of a chapter."""
_PAGE = re.compile(r'<page width="[\d.]+" height="([\d.]+)">(.*?)</page>', re.DOTALL)
LEVEL = 2.0
"""Points by which the tops of words of one line differ at most."""
_WORD = re.compile(r'<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">(.*?)</word>')


def fills(path):
    """Return for every page how full its body is, and whether a chapter ends there."""
    text = subprocess.run(["pdftotext", "-bbox", str(path), "-"], capture_output=True, text=True, check=True).stdout
    pages = [(float(height), _words(body, float(height))) for height, body in _PAGE.findall(text)]
    found = {}
    for number, (height, words) in enumerate(pages, start=1):
        after = pages[number][1] if number < len(pages) else []
        full = (max(bottom for _, bottom, _, _ in words) / height - TOP) / (BOTTOM - TOP)
        found[number] = (full, not after or _opens(after))
    return found


def _words(body, height):
    words = [(float(top), float(bottom), float(left), word) for left, top, bottom, word in _WORD.findall(body)]
    return [word for word in words if TOP * height < word[0] and word[1] < BOTTOM * height]


def _opens(words):
    first = min(words)[0] + LEVEL
    top, bottom, _, word = min((word for word in words if word[0] <= first), key=lambda word: word[2])
    return word.isdigit() and bottom - top >= HEADING
