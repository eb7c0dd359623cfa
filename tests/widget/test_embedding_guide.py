"""The samples of docs/guides/embedding.md are run, where their language is there."""

import re
import shutil
import subprocess
import sys

import pytest

from apps.widget.rules.identity import proof_of
from config.environment import PROJECT_ROOT

GUIDE = (PROJECT_ROOT / "docs/guides/embedding.md").read_text()
SECRET, USER_ID = "s3cret" * 8, "пользователь-7"
ASKED = {
    "python": (sys.executable, "-c", "{sample}\nimport sys; print(identity_hmac(*sys.argv[1:]))"),
    "php": ("php", "-r", "{sample}\necho identity_hmac($argv[1], $argv[2]);"),
}


def sample(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)
    return str(found)


@pytest.mark.parametrize("language", ASKED)
def test_an_identity_is_proved_by_the_guides_sample(language: str) -> None:
    program, option, script = ASKED[language]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not here")
    command = [program, option, script.format(sample=sample(language)), SECRET, USER_ID]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said.strip() == proof_of(USER_ID, SECRET)
