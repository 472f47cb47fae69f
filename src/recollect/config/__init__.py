"""Settings: the sections with their defaults, and the layers that fill them."""

from recollect.config.layers import Settings, load
from recollect.config.sections import Config, Layout, Profile, is_used

__all__ = ["Config", "Layout", "Profile", "Settings", "is_used", "load"]
