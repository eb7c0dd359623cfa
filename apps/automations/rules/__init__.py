"""The parts of automations, and how they are judged. Pure."""
