"""`manage.py webhook_listen` without the start of its process: forked from one in which Django is set up.

Setting Django up takes a hundred times longer than what most tests of the command do.
"""

import multiprocessing
import os
import signal
import sys
from multiprocessing.process import BaseProcess

import django
from django.apps import apps
from django.core.management import execute_from_command_line

from launcher.processes import die_with_parent

if not apps.ready:
    django.setup()

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload([__name__, "apps.demo.management.commands.webhook_listen"])


def start(options: tuple[str, ...], output: str) -> BaseProcess:
    """What it says goes to the file."""
    process = FORKS.Process(target=run, args=(options, output))
    process.start()
    return process


def run(options: tuple[str, ...], output: str) -> None:
    die_with_parent(os.getppid(), signal.SIGKILL)
    os.setsid()
    descriptor = os.open(output, os.O_WRONLY | os.O_APPEND)
    for standard in (sys.stdout, sys.stderr):
        os.dup2(descriptor, standard.fileno())
    execute_from_command_line(["manage.py", "webhook_listen", *options])
