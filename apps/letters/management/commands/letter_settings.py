"""Prints the settings of a widget's letters, and changes some of them: all that are named, or none."""

from apps.cabinet.settings_command import SettingsCommand
from apps.letters.settings import SETTINGS


class Command(SettingsCommand):
    help = "Prints or changes the settings of a widget's letters."
    table = SETTINGS
    example = "unseen_min=10"
