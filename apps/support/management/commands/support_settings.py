"""Prints the settings of a widget's support desk, and changes some of them: all that are named, or none."""

from apps.cabinet.settings_command import SettingsCommand
from apps.support.settings import SETTINGS


class Command(SettingsCommand):
    help = "Prints or changes the settings of a widget's support desk."
    table = SETTINGS
    example = """channels='["widget"]'"""
