"""Output for terminals and files that cannot hold every character: plain equivalents, no failure.

Older Windows consoles and pipes with an ASCII or Latin encoding know no δ and no −. What such a
stream cannot hold is written as people without these keys would write it.
"""

import codecs
import io
import sys

HANDLER = "goodarm-plain"  # the name of the handler among Python's encoding errors

GREEK = "alpha beta gamma delta epsilon zeta theta lambda mu nu pi sigma tau phi"
PLAIN = {
    **dict(zip("αβγδεζθλμνπστφ", GREEK.split(), strict=True)),
    **{"Δ": "Delta", "Σ": "Sum", "Λ": "Lambda", "Φ": "Phi", "Π": "Pi", "µ": "u"},
    **{"−": "-", "–": "-", "—": "-", "±": "+-", "×": "x", "·": "*", "÷": "/", "√": "sqrt"},
    **{"≤": "<=", "≥": ">=", "≈": "~", "≠": "!=", "∞": "inf", "→": "->", "∅": "none"},
    **{"²": "^2", "³": "^3", "⁺": "+", "⁻": "-", "½": "1/2", "⅓": "1/3", "′": "'"},
    **{"\u0302": "^", "\u0304": "", "\u0303": "~", "…": "...", "•": "*", "\u00a0": " "},
    **{"“": '"', "”": '"', "‘": "'", "’": "'", "█": "#", "▒": "+", "░": ".", "│": "|", "─": "-"},
}


def plain(text: str, encoding: str) -> str:
    """The text as a stream of that encoding will hold it."""
    return text.encode(encoding, HANDLER).decode(encoding)


def install() -> None:
    """Let standard output and standard error replace what they cannot hold."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=HANDLER)


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    part = error.object[error.start : error.end]
    return "".join(map(_equivalent, part)), error.end


def _equivalent(character: str) -> str:
    """What a person would write, or the character's number, so that no two names become one."""
    if character in PLAIN:
        return PLAIN[character]
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


codecs.register_error(HANDLER, _replace)
