"""What tests of the peers share."""

from typing import Any

import ir_measures


def ir_measure(name: str) -> Any:
    """Return a measure of ir_measures by its name. Its own parser needs a part of Python that 3.14 has no more."""
    kind, _, cutoff = name.partition("@")
    measure = getattr(ir_measures, kind)
    return measure @ int(cutoff) if cutoff else measure
