"""The rules of the door, and whose process is at the other end."""

import socket

import pytest

from assent.lsp.admission import Admission, Refused, check_user
from assent.lsp.peers import find_uid, system_lookup

TABLE = """  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0 100 0 0 10 0
   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 12 1 0 20 4 30 10 -1
   2: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 13 1 0 20 4 30 10 -1
   3: 0200007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 14 1 0 20 4 30 10 -1
"""
OURS = ("127.0.0.1", 8080)


def test_the_clients_end_is_the_one_that_counts() -> None:
    assert find_uid(TABLE, ("127.0.0.1", 50000), OURS) == 1000
    assert find_uid(TABLE, ("127.0.0.2", 50000), OURS) == 1001


def test_who_is_not_in_the_table_is_unknown() -> None:
    assert find_uid(TABLE, ("127.0.0.1", 50001), OURS) is None
    assert find_uid("", ("127.0.0.1", 50000), OURS) is None


def test_a_real_connection_is_found() -> None:
    lookup = system_lookup()
    if lookup is None:
        pytest.skip("this system has no table of connections")
    import os

    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert lookup(client.getsockname(), server.getsockname()) == os.getuid()


def test_only_our_own_user_is_let_in() -> None:
    assert check_user(lambda *_: 1000, ("127.0.0.1", 1), OURS, 1000) is None
    assert isinstance(check_user(lambda *_: 0, ("127.0.0.1", 1), OURS, 1000), Refused)
    assert isinstance(check_user(lambda *_: None, ("127.0.0.1", 1), OURS, 1000), Refused)
    assert check_user(None, ("127.0.0.1", 1), OURS, 1000) is None


def test_the_host_must_be_given_once() -> None:
    rules = Admission(8080, "secret")

    assert rules.check_host(["localhost:8080"]) is None
    assert rules.check_host([]) is not None
    assert rules.check_host(["localhost:8080", "localhost:8080"]) is not None


def test_the_origin_must_be_given_once() -> None:
    rules = Admission(8080, "secret")
    protocols = ["assent", "token.secret"]

    assert rules.check_page(["http://localhost:8080"], protocols) is None
    assert rules.check_page([], protocols) is not None
    assert rules.check_page(["http://localhost:8080"] * 2, protocols) is not None
    assert rules.check_page(["http://localhost:8080"], ["assent", "token.sécret"]) is not None
