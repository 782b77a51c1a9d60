"""A time of submission, as others write it, becomes ISO 8601 in UTC: `2026-11-29T12:00:00Z`."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

_TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[Tt]| +)(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?"
    r" *(?:(Z|z|UTC)|([+-])(\d\d?):?(\d\d)?)",
    re.ASCII,
)


def in_utc(text: str) -> str | None:
    """What an export or a person wrote, with a zone; fractions of a second are cut off.

    Returns:
        None where that is no time, or has no zone: none is invented.
    """
    match = _TIME.fullmatch(text.strip())
    if match is None:
        return None
    *date, _, sign, hours, minutes = match.groups()
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    try:
        zone = timezone(-offset if sign == "-" else offset)
        year, month, day, hour, minute, second = (int(part or 0) for part in date)
        return _written(datetime(year, month, day, hour, minute, second, tzinfo=zone))
    except (ValueError, OverflowError):
        return None


def of_file(seconds: float) -> str | None:
    """The time of a file's last change, in seconds since 1970; None for an impossible one."""
    try:
        return _written(datetime.fromtimestamp(seconds, UTC))
    except (ValueError, OverflowError, OSError):
        return None


def _written(time: datetime) -> str:
    plain = time.astimezone(UTC).replace(tzinfo=None)
    return plain.isoformat(timespec="seconds") + "Z"
