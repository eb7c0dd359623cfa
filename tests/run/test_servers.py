"""The embedded servers: what they promise to `make run`, to tests and to benchmarks."""

import socket
from pathlib import Path
from tempfile import TemporaryDirectory

import dj_database_url
import psycopg
import pytest
import redis

from launcher.processes import server_processes
from launcher.servers import EmbeddedServers, ServerFailed, free_port, port_is_free


def select(url: str, statement: str) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute(statement).fetchone()
    assert row is not None
    return row[0]


def processes_in(home: Path) -> list[int]:
    found = [*server_processes("postgres", home / "postgres"), *server_processes("valkey-server", home / "valkey")]
    return [process.pid for process in found]


def test_committed_rows_and_keys_survive_a_kill_at_the_same_address(own_servers: EmbeddedServers) -> None:
    with psycopg.connect(own_servers.database_url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    client = redis.Redis.from_url(own_servers.redis_url)
    client.set("kept", "8")
    client.execute_command("WAITAOF", 1, 0, 5000)
    addresses = own_servers.database_url, own_servers.redis_url

    own_servers.postgres.kill()
    own_servers.valkey.kill()
    assert not own_servers.postgres.running
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(own_servers.database_url)
    own_servers.postgres.start()
    own_servers.valkey.start()

    assert (own_servers.database_url, own_servers.redis_url) == addresses
    assert select(own_servers.database_url, "SELECT number FROM kept") == 7
    assert client.get("kept") == b"8"


def test_nothing_runs_after_the_block(home: Path) -> None:
    with EmbeddedServers(home):
        assert len(processes_in(home)) >= 2
    assert processes_in(home) == []


def test_a_server_that_a_killed_owner_left_behind_is_replaced(own_servers: EmbeddedServers, home: Path) -> None:
    left = processes_in(home)
    with EmbeddedServers(home) as servers:
        assert select(servers.database_url, "SELECT 1") == 1
        assert not set(left) & set(processes_in(home))


def test_a_postmaster_file_that_names_a_foreign_process_is_no_hindrance(own_servers: EmbeddedServers) -> None:
    postgres = own_servers.postgres
    text = (postgres.folder / "postmaster.pid").read_text().splitlines(keepends=True)
    postgres.kill()
    (postgres.folder / "postmaster.pid").write_text("".join(["1\n", *text[1:]]))
    postgres.start()
    assert select(postgres.url, "SELECT 1") == 1


def test_an_initialisation_that_was_cut_off_is_begun_anew(home: Path) -> None:
    unfinished = home / "postgres.new"
    unfinished.mkdir()
    (unfinished / "PG_VERSION").write_text("18\n")
    with EmbeddedServers(home, valkey=False) as servers:
        assert select(servers.database_url, "SELECT 1") == 1
    assert not unfinished.exists()


def test_the_database_knows_cyrillic_case_and_is_durable(own_servers: EmbeddedServers) -> None:
    url = own_servers.database_url
    assert select(url, "SELECT lower('ПРИВЕТ, Ёж')") == "привет, ёж"
    assert select(url, "SHOW server_encoding") == "UTF8"
    assert (select(url, "SHOW fsync"), select(url, "SHOW synchronous_commit")) == ("on", "on")
    settings = redis.Redis.from_url(own_servers.redis_url).config_get("appendonly", "maxmemory-policy")
    assert settings == {"appendonly": "yes", "maxmemory-policy": "noeviction"}


def test_the_vector_and_trigram_extensions_are_there(own_servers: EmbeddedServers) -> None:
    names = select(
        own_servers.database_url,
        "SELECT array_agg(name ORDER BY name) FROM pg_available_extensions"
        " WHERE name IN ('vector', 'pg_trgm', 'fuzzystrmatch')",
    )
    assert names == ["fuzzystrmatch", "pg_trgm", "vector"]


@pytest.mark.parametrize("name", ["Upper Case 100%", "x" * 120])
def test_any_folder_name_gives_an_address_that_django_reads_right(name: str) -> None:
    with TemporaryDirectory() as outer:
        Path(outer).chmod(0o711)  # the server's own user passes
        home = Path(outer) / name
        home.mkdir()
        with EmbeddedServers(home, durable=False, valkey=False) as servers:
            settings = dj_database_url.parse(servers.database_url)
            with psycopg.connect(dbname=settings["NAME"], user=settings["USER"], **settings["OPTIONS"]) as connection:
                assert connection.info.dbname == "parley"
                sockets = Path(connection.info.host)
        assert not (sockets / ".s.PGSQL.5432").exists()
        assert sockets == home / "postgres" or not sockets.exists()


def test_neither_server_lets_a_stranger_in(own_servers: EmbeddedServers) -> None:
    assert own_servers.postgres.folder.stat().st_mode & 0o077 == 0
    assert select(own_servers.database_url, "SHOW listen_addresses") == ""
    address = own_servers.redis_url.split("@")[1]
    with pytest.raises(redis.AuthenticationError):
        redis.Redis.from_url(f"redis://{address}").ping()


def test_data_of_another_major_version_is_refused_with_one_line(home: Path) -> None:
    with EmbeddedServers(home, valkey=False) as servers:
        version = servers.postgres.folder / "PG_VERSION"
    version.write_text("12\n")
    with pytest.raises(ServerFailed, match="postgres did not start") as refusal:
        EmbeddedServers(home).start()
    assert "\n" not in str(refusal.value)
    assert processes_in(home) == []


def test_only_the_wanted_server_starts(home: Path) -> None:
    with EmbeddedServers(home, postgres=False) as servers:
        assert servers.valkey.running
        assert not servers.postgres.running
        assert not (home / "postgres").exists()


def test_a_free_port_is_none_that_the_system_gives_to_whoever_asks_for_any() -> None:
    """Between being found and being used it would be somebody else's now and then."""
    lowest, _highest = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()
    assert max(free_port() for _ in range(1000)) < int(lowest)


def test_a_port_is_taken_while_somebody_listens() -> None:
    port = free_port()
    assert port_is_free("127.0.0.1", port)
    with socket.create_server(("127.0.0.1", port)):
        assert not port_is_free("127.0.0.1", port)
        assert not port_is_free("0.0.0.0", port)
