"""Makes the virtualenv `.venv` hold what one requirement file pins: `python3 bootstrap.py run|dev [--for-…]`.

Needs nothing but the standard library, and does nothing when the file and the Python version are the same as last
time. With `--any-python` the version may be another one, and where something must be installed, an optimised Python of
the PATH takes the place of one that is not (launcher/interpreter.py). Kept readable for old Pythons, so that they too
can say what is missing.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this is where an older one is told
    sys.exit(
        "parley: Python 3.11 or newer is needed, and this is "
        + ".".join(str(part) for part in sys.version_info[:3])
        + "; name another one: make PYTHON=/path/to/python3.11 ..."
    )

import argparse
import ctypes.util
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VIRTUALENV = ROOT / ".venv"
PYTHON = VIRTUALENV / "bin" / "python"
NPM_PACKAGES = ROOT / "tests" / "contract" / "typescript"
HOSTS = ROOT / "tests" / "widget" / "frontend" / "hosts"
GENERATORS = ROOT / "tests" / "contract" / "generators" / "npm"
GENERATORS_OF_PYTHON = ROOT / "var" / "generators"
INTERPRETER = ROOT / "launcher" / "interpreter.py"
# Of these versions one that is optimised is taken, of this one's first, then the oldest.
VERSIONS = ("3.11", "3.12", "3.13")
# The first is the same browser without windows, which takes half of the CPU.
CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("requirements", choices=["run", "dev"])
    parser.add_argument(
        "--any-python", action="store_true", help="take an optimised Python instead of this, if one is there"
    )
    parser.add_argument("--for-tests", action="store_true", help="install what the end-to-end tests run, where absent")
    parser.add_argument("--for-checks", action="store_true", help="install what checks the console's page, with npm")
    parser.add_argument("--for-generators", action="store_true", help="install the generators of clients of others")
    arguments = parser.parse_args()
    fcntl.flock(os.open(str(ROOT), os.O_RDONLY), fcntl.LOCK_EX)  # until this process ends: one installs at a time
    if not has_installed(arguments.requirements, arguments.any_python):
        if arguments.any_python:
            go_on_optimised()
        ensure_virtualenv()
        install(arguments.requirements)
    if arguments.for_tests:
        ensure_programs()
        ensure_npm_packages(HOSTS)
    if arguments.for_tests or arguments.for_checks:
        ensure_npm_packages(NPM_PACKAGES)
    if arguments.for_generators:
        ensure_generators()


def stamp_of(name):
    """A file whose text is what was installed; it is written last."""
    return VIRTUALENV / (".installed-" + name)


def pinned(name):
    return (ROOT / "requirements" / (name + ".txt")).read_text()


def pins_of(name):
    return {line for line in pinned(name).splitlines() if "==" in line}


def wanted(name):
    return sys.version + " " + hash_of(name)


def hash_of(name):
    return hashlib.sha256(pinned(name).encode()).hexdigest()


def has_installed(name, by_any_python=False):
    stamp = stamp_of(name)
    if not PYTHON.exists() or not stamp.exists():
        return False
    installed = stamp.read_text()
    return installed.endswith(" " + hash_of(name)) if by_any_python else installed == wanted(name)


def go_on_optimised():
    """Goes on in an optimised Python if this one is not, and one is there; else it returns."""
    own = build_of(sys.executable)
    if own is None or own["is_optimised"]:
        return
    for python in candidates():
        found = build_of(python)
        if found and found["is_optimised"] and found["can_make_virtualenvs"] and found["version"].startswith(VERSIONS):
            say("taking " + python + ", as this Python is not optimised (another one: make PYTHON=/path/to/python)")
            os.execv(python, [python, *sys.argv])


def candidates():
    """The Pythons that the PATH has, those of this one's version first."""
    own = "{}.{}".format(*sys.version_info)
    versions = sorted(VERSIONS, key=lambda version: version != own)
    folders = [Path(folder) for folder in os.get_exec_path()]
    paths = [folder / ("python" + version) for version in versions for folder in folders]
    paths += [folder / "python3" for folder in folders]
    found = {path.resolve(): str(path) for path in reversed(paths) if os.access(str(path), os.X_OK)}
    return list(found.values())[::-1]


def build_of(python):
    """How a Python was built, or None of one that does not say."""
    try:
        told = subprocess.run([python, "-I", str(INTERPRETER)], capture_output=True, text=True, check=False, timeout=30)
        return json.loads(told.stdout) if told.returncode == 0 else None
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None


def ensure_virtualenv():
    """Makes the virtualenv; one of another Python, or a broken one, is made anew."""
    probe = "import sys, pip; print(sys.version)"
    if PYTHON.exists():
        found = subprocess.run([str(PYTHON), "-c", probe], capture_output=True, text=True, check=False)
        if found.returncode == 0 and found.stdout.strip() == sys.version:
            return
    try:
        import ensurepip
        import venv
    except ImportError:
        sys.exit("parley: this Python cannot make virtualenvs; on Debian: apt-get install python3-venv")
    say("making " + str(VIRTUALENV) + " with Python " + sys.version.split()[0] + " and pip " + ensurepip.version())
    try:
        venv.create(VIRTUALENV, clear=True, with_pip=True, symlinks=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit("parley: " + str(VIRTUALENV) + " cannot be made: " + str(error))


def install(name):
    pins = "requirements/" + name + ".txt"
    say("installing " + pins)
    options = ["--quiet", "--disable-pip-version-check", "--no-input", "-r", pins]
    if subprocess.call([str(PYTHON), "-m", "pip", "install"] + options, cwd=str(ROOT)) != 0:  # noqa: RUF005
        sys.exit("parley: pip could not install " + pins + "; its own lines above say why")
    stamp_of(name).write_text(wanted(name))
    if pins_of("run") <= pins_of(name):
        stamp_of("run").write_text(wanted("run"))


def missing_packages():
    """Debian's names of what the end-to-end tests run and this machine lacks."""
    there = {
        "chromium-headless-shell": any(shutil.which(program) for program in CHROMIUM_NAMES),
        "curl": shutil.which("curl"),
        "nginx": shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin"),
        "libatomic1": ctypes.util.find_library("atomic"),  # Playwright's driver is linked with it
    }
    return [package for package, found in there.items() if not found]


def ensure_programs():
    missing = missing_packages()
    if not missing:
        return
    install_them = ["apt-get", "install", "--yes", "-qq", "--no-install-recommends", *missing]
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        if missing == ["nginx"]:
            say("nginx is not here: the tests behind it are skipped (on Debian: apt-get install nginx)")
            return
        sys.exit("parley: the end-to-end tests need more; on Debian: apt-get install " + " ".join(missing))
    say("installing " + ", ".join(missing))
    environ = dict(os.environ, DEBIAN_FRONTEND="noninteractive", RUNLEVEL="1")  # which starts no service of theirs
    for command in (["apt-get", "update", "-qq"], install_them):
        done = subprocess.run(command, env=environ, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
        if done.returncode != 0:
            sys.exit("parley: " + " ".join(command) + " failed; install " + ", ".join(missing) + " by hand")


def ensure_generators():
    """Installs the generators that `make generators` tries: what is not there is skipped, and its tests say so."""
    ensure_npm_packages(GENERATORS)
    stamp = GENERATORS_OF_PYTHON / ".installed"
    if stamp.exists() and stamp.read_text() == wanted("generators"):
        return
    say("installing requirements/generators.txt into var/generators")
    shutil.rmtree(str(GENERATORS_OF_PYTHON), ignore_errors=True)
    options = ["--quiet", "--disable-pip-version-check", "--no-input", "--no-deps", "--target"]
    into = [str(GENERATORS_OF_PYTHON), "-r", "requirements/generators.txt"]
    if subprocess.call([str(PYTHON), "-m", "pip", "install", *options, *into], cwd=str(ROOT)) == 0:
        stamp.write_text(wanted("generators"))
    else:
        say("pip could not install them: the tests of generators are skipped")


def ensure_npm_packages(folder):
    """Installs what tests of generated clients, of pages around the widget and the page's type check run; without npm,
    they are skipped.
    """
    stamp = folder / "node_modules" / ".installed"
    digest = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
    if not shutil.which("npm") or (stamp.exists() and stamp.read_text() == digest):
        return
    say("installing " + str(folder.relative_to(ROOT)) + "/package-lock.json")
    command = ["npm", "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"]
    done = subprocess.run(command, cwd=str(folder), stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
    if done.returncode == 0:
        stamp.write_text(digest)
    else:
        say("npm could not install it: what is tested with it is skipped")


def say(text):
    sys.stderr.write("parley: " + text + "\n")


if __name__ == "__main__":
    main()
