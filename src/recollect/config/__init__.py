"""Settings: one frozen table of sections, and the layers that fill it."""

from recollect.config.layers import Settings, load
from recollect.config.sections import Config, Layout

__all__ = ["Config", "Layout", "Settings", "load"]
