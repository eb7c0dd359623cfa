"""placeholder"""

from apps.core.demo import Demo


def seed(demo: Demo) -> None:
    pass
