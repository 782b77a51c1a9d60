"""Names of files made of names that strangers chose."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_MOST = 80
_HARMLESS = re.compile(r"[^\w.@+-]+")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def file_name(name: str) -> str:
    """A name that is one folder everywhere, readable, and another one for every other name.

    What had to be changed (a slash, a leading dot, a name that Windows keeps) gets a piece of the
    name's digest, so that two students never share a folder.
    """
    normal = unicodedata.normalize("NFC", name)
    plain = _HARMLESS.sub("_", normal).strip("._ ")[:_MOST]
    if plain == name and plain and not _RESERVED.fullmatch(plain) and plain == plain.casefold():
        return plain
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{plain.strip('._ ') or 'student'}-{digest}"
