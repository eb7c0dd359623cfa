"""Each command and program of a served guide is run by a test as it stands, or says why not."""

import subprocess
import sys

import pytest

from apps.documentation.rules.catalogue import GUIDES
from apps.widget.rules import identity
from config.environment import PROJECT_ROOT
from tests.documentation.blocks import blocks_of

LANGUAGES = ("sh", "python", "js", "html")
# Which tests run a guide's blocks of a language, and how many these are. A new block is counted where it is run.
RUN_BY: dict[tuple[str, str], tuple[int, *tuple[str, ...]]] = {
    ("embedding", "html"): (4, "tests/widget/frontend/test_snippet.py", "tests/widget/frontend/test_consent.py"),
    ("embedding", "js"): (1, "tests/widget/frontend/test_snippet.py"),
    ("embedding", "python"): (1, "tests/documentation/test_blocks.py"),
    ("cards", "python"): (1, "tests/cards/test_guide.py"),
    ("webhooks", "sh"): (4, "tests/e2e/test_webhooks_guide.py"),
    ("webhooks", "python"): (1, "tests/webhooks/test_samples.py"),
    ("webhooks", "js"): (1, "tests/webhooks/test_samples.py"),
    ("external-operators", "sh"): (2, "tests/e2e/test_external_operators_guide.py"),
    ("external-operators", "python"): (1, "tests/e2e/test_external_operators_guide.py"),
    ("mcp", "sh"): (1, "tests/e2e/test_guides_commands.py"),
    ("ai", "sh"): (5, "tests/e2e/test_guides_commands.py"),
}
# Blocks that are run by nobody, for the reason that stands in the guide.
NOT_RUN = {("ai", "sh"): 5}


@pytest.mark.parametrize("guide", GUIDES)
def test_every_block_is_run_or_says_why_not(guide: str) -> None:
    for language in LANGUAGES:
        blocks = blocks_of(guide, language)
        count, *files = RUN_BY.get((guide, language), (0,))
        assert len([one for one in blocks if one.reason is None]) == count, language
        assert len([one for one in blocks if one.reason]) == NOT_RUN.get((guide, language), 0), language
        for file in files:
            source = (PROJECT_ROOT / file).read_text()
            assert f"{guide}.md" in source or f'blocks_of("{guide}"' in source


def test_the_function_of_the_guide_for_embedding_proves_an_identity() -> None:
    (block,) = blocks_of("embedding", "python")
    program = f'{block.text}\nprint(identity_hmac("secret-секрет", "4711"))'
    made = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()
    assert made == identity.proof_of("4711", "secret-секрет")
