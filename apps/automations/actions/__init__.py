"""The changes of automations and macros, and their runs."""
