"""The rules of reports. Pure."""
