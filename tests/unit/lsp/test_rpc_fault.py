"""Faults on the wire and in the log."""

from assent.lsp.faults import Disconnected, RpcFault, where_it_happened
from assent.protocol.methods import ErrorCode


def test_a_fault_travels_with_its_data() -> None:
    fault = RpcFault(ErrorCode.INVALID_OPTION, "not offered", {"allowed": ["a"]})

    assert fault.to_json() == {"code": -31003, "message": "not offered", "data": {"allowed": ["a"]}}
    again = RpcFault.from_json(fault.to_json())
    assert (again.code, again.message, again.data) == (fault.code, fault.message, fault.data)


def test_without_data_there_is_no_data_on_the_wire() -> None:
    assert "data" not in RpcFault(ErrorCode.INVALID_REQUEST, "no").to_json()


def test_a_foreign_code_is_kept() -> None:
    fault = RpcFault.from_json({"code": 4711, "message": "odd", "data": [1]})

    assert fault.code is ErrorCode.INTERNAL_ERROR
    assert fault.data == {"code": 4711, "data": [1]}


def test_a_lost_client_is_a_fault_of_its_own() -> None:
    assert isinstance(Disconnected(), RpcFault)


def test_the_log_says_where_and_never_what() -> None:
    secret = "hunter" + str(1 + 1)
    try:
        try:
            raise KeyError(secret)
        except KeyError as inner:
            raise ValueError(secret) from inner
    except ValueError as outer:
        report = where_it_happened(outer)

    assert "ValueError" in report
    assert "KeyError" in report
    assert "test_the_log_says_where_and_never_what" in report
    assert secret not in report
