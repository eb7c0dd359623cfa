"""Each text that is marked for translation is in the Russian catalogue.

A mark that `makemessages` does not see, such as a call within an f-string, would stay English without a word.
"""

import ast
import gettext as catalogues
from collections.abc import Iterator

from config.environment import PROJECT_ROOT
from tests.architecture.source import name_of, source_files, tree_of

MARKS = {"gettext", "gettext_lazy", "gettext_noop", "_"}
RUSSIAN = PROJECT_ROOT / "locale" / "ru" / "LC_MESSAGES" / "django.mo"


def marked(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS and node.args:
            text = node.args[0]
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield text.value


def test_every_marked_text_is_in_the_catalogue() -> None:
    with RUSSIAN.open("rb") as file:
        known = vars(catalogues.GNUTranslations(file))["_catalog"]
    paths = [path for path in source_files("apps") if "migrations" not in path.parts]
    found = [(name_of(path), text) for path in paths for text in marked(tree_of(path))]
    assert len(found) > 1_000
    assert [each for each in found if each[1] not in known and (each[1], 0) not in known] == []
