"""`manage.py play_mail`: the letters of a trial, read and answered in words."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from apps.demo.servers import post


class Command(BaseCommand):
    help = "Shows the letters of a trial, and answers them as a mail program would."

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="what", required=True)
        commands.add_parser("list", help="the letters, newest first")
        commands.add_parser("show", help="a letter").add_argument("number", type=int)
        answers = commands.add_parser("answer", help="answer a letter")
        answers.add_argument("number", type=int)
        answers.add_argument("text")
        answers.add_argument("--as", dest="program", choices=list(post.PROGRAMS), default="gmail", help="mail program")
        writes = commands.add_parser("write", help="write to a mailbox")
        writes.add_argument("text")
        writes.add_argument("--to", default="support@flowers.example")
        writes.add_argument("--from", dest="sender", default="mary@mail.example")
        writes.add_argument("--subject", default="A question")

    def handle(self, **options: Any) -> None:
        if not settings.MAIL_IS_TRIAL:
            raise CommandError("Letters go to a mail server here: this is no trial.")
        if options["what"] == "list":
            for one in post.letters():
                self.stdout.write(f"{one.number:3} {one.to:32} {one.subject}")
        elif options["what"] == "write":
            post.write(options["sender"], options["to"], options["text"], options["subject"])
            self.stdout.write("Brought to the door.")
        else:
            found = post.letter(options["number"])
            if found is None:
                raise CommandError("There is no such letter.")
            if options["what"] == "show":
                self.stdout.write(f"To: {found.to}\nSubject: {found.subject}\n\n{found.text}")
            else:
                post.answer(found, options["text"], options["program"])
                self.stdout.write("Brought to the door.")
