"""The text that `make run` prints once all processes answer."""

import os
import sys
from collections.abc import Sequence
from typing import Any

# The process that receives the demo's webhooks.
RECEIVER = "hooks"
# The process that plays the demo's model, and visitors.
MODEL = "model"


def warning(text: str) -> str:
    """The text in red, where that can be seen."""
    return f"\033[1;31m{text}\033[0m" if sys.stdout.isatty() and "NO_COLOR" not in os.environ else text


def banner(public_url: str, demo: dict[str, Any], against: Sequence[str] = ()) -> str:
    """The addresses, the demo logins, and a first call to paste.

    `against` is why there should be no demo logins here: where there are some all the same, it says so in red.
    """
    why = ", ".join(against)
    if not demo.get("accounts"):
        return banner_without_demo(public_url, why, demo)
    account = demo["accounts"][0]
    widget = account["widgets"][0]
    hooks = [f"  webhooks    the lines of {RECEIVER}, where the demo's own receiver checks and shows them"]
    played = demo.get("played")
    operators = [agent for agent in widget["agents"] if agent["type"] == "human" and agent["status"] == "active"]
    public = [warning(f"DEMO LOGINS, whose passwords everybody knows, stand open, although {why}."), ""]
    lines = [
        "",
        f"Parley is ready at {public_url}",
        "",
        *(public if against else []),
        *stale(demo),
        f"  demo page   {public_url}/demo/",
        *(
            [f"  AI, played  {public_url}/demo/model   ask about delivery, returns or tea, in German, too"]
            if played
            else []
        ),
        f"  console     {public_url}/console/",
        f"  admin       {public_url}/admin/",
        f"  API docs    {public_url}/api/docs",
        *(hooks if "webhook_receiver" in demo else []),
        "",
        "Console: write on the demo page, sign in as one of these in another window, and answer:",
        *(f"  {agent['email']}  {agent['password']}" for agent in operators[:2]),
        *(
            [f"  {played['operator']}  {played['password']}  (the shop whose AI and visitors are played)"]
            if played
            else []
        ),
        "",
        "Admin:",
        f"  {account['owner_login']}  {account['password']}  (the shop's owner: sees the shop's rows)",
        f"  {demo['admin']['login']}  {demo['admin']['password']}  (runs the installation: sees all)",
        "",
        f"API tokens of {widget['name']}, as long as the data lives (seed_demo issues new ones):",
        *(f"  {name:10}  {token}" for name, token in widget["tokens"].items()),
        "",
        "A first call, with the first of them:",
        f"  curl -H 'Authorization: Bearer {widget['tokens']['all']}' '{demo['base_url']}/chats'",
        "",
        "Ctrl-C stops everything; the data stays.",
        "",
    ]
    return "\n".join(lines) + "\n"


def stale(demo: dict[str, Any]) -> list[str]:
    """A line that says why the demo data was not brought up to date, if it was not."""
    if "problem" not in demo:
        return []
    return [f"The demo data stays as it is, for it can't be brought up to date ({demo['problem']}).", ""]


def banner_without_demo(public_url: str, why: str, found: dict[str, Any]) -> str:
    """The addresses of an installation for real use, and how to begin; in red, if demo logins are left in it."""
    left = [
        warning(f"DEMO LOGINS of an earlier run, with public passwords, stand open{f', although {why}' * bool(why)}."),
        "",
    ]
    lines = [
        "",
        f"Parley is ready at {public_url}",
        "",
        *(left if found["is_seeded"] else []),
        f"  console     {public_url}/console/",
        f"  admin       {public_url}/admin/",
        f"  API docs    {public_url}/api/docs",
        "",
        *stale(found),
        "No demo data was made."
        if "problem" in found
        else f"No demo data was made: {why or 'SEED_DEMO is off'}. SEED_DEMO=1 makes it all the same."
        if found["is_installed"]
        else "No demo data was made: PARLEY_WITHOUT_APPS leaves apps.demo out.",
        "Who runs the installation is made by: python manage.py createsuperuser",
        "",
        "Ctrl-C stops everything; the data stays.",
        "",
    ]
    return "\n".join(lines) + "\n"
