"""The wrapper of `window.Parley` passes the compiler in a page of React and in one of Vue, as its README has them."""

import re
from pathlib import Path

import pytest

from config.environment import PROJECT_ROOT
from tests.contract.generators.tools import NODE, NPM, need, node

pytestmark = pytest.mark.slow

FOLDER = PROJECT_ROOT / "clients" / "widget"
README = (FOLDER / "README.md").read_text()


def test_the_readmes_samples_pass_the_compiler(tmp_path: Path) -> None:
    need(NODE, NPM / "vue")
    modules = tmp_path / "node_modules"
    modules.mkdir()
    for name in ("react", "@types", "vue", "@vue", "csstype"):
        (modules / name).symlink_to(NPM / name)
    (modules / "parley-widget").symlink_to(FOLDER)
    samples = re.findall(r"```(tsx?)\n(.*?)```", README, re.DOTALL)
    assert [language for language, _ in samples] == ["ts", "tsx", "ts"]
    (script,) = re.findall(r"<script setup.*?>\n(.*?)</script>", README, re.DOTALL)
    samples += [("ts", f'import {{ defineProps }} from "vue";\n{script}')]
    for number, (language, text) in enumerate(samples):
        app = 'import { createApp } from "vue";\nconst app = createApp({});\n' if "app.use" in text else ""
        (tmp_path / f"sample{number}.{language}").write_text(app + text)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    options = ["--noEmit", "--strict", "--jsx", "react-jsx", "--target", "es2022", "--module", "esnext"]
    options += ["--moduleResolution", "bundler", "--lib", "es2022,dom", "--skipLibCheck", "--types", "react"]
    options += ["--preserveSymlinks"]
    files = sorted(path.name for path in tmp_path.glob("sample*"))
    node(NPM / "typescript" / "bin" / "tsc", *options, *files, cwd=tmp_path)
