"""Settings: the sections with their defaults, and the layers that fill them."""

from recollect.config.layers import Settings, load
from recollect.config.sections import Config, Layout, Profile

__all__ = ["Config", "Layout", "Profile", "Settings", "load"]
