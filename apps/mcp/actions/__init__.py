"""Tools with their arguments, and a call of one."""
