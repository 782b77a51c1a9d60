"""Large inputs of the lab `double`."""


def many_digits(seed):
    """A number of 900 digits."""
    return '{"n": ' + "1" + "7" * (899 + seed - seed) + "}"
