"""Grade Python programs that read one JSON object and print one JSON object."""

__version__ = "0.1.0"
