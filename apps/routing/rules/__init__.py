"""The rules of routing: settings, who gets which chat, and why."""
