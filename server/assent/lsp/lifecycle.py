"""Where a connection stands between its first message and its last, and what it takes there. Without I/O."""

from enum import Enum, auto

from assent.lsp.faults import RpcFault
from assent.protocol.methods import ErrorCode

INITIALIZE = "initialize"
SHUTDOWN = "shutdown"


class Phase(Enum):
    """The stations of a connection."""

    FRESH = auto()
    STARTING = auto()
    """`initialize` is being worked on; what comes meanwhile waits for its end."""
    RUNNING = auto()
    STOPPED = auto()
    """`shutdown` came; only `exit` is left."""
    CLOSED = auto()


class Lifecycle:
    """The phase of one connection."""

    def __init__(self) -> None:
        self.phase = Phase.FRESH

    def check_request(self, method: str) -> None:
        """Raises the fault that a request gets which comes at the wrong time."""
        first = method == INITIALIZE
        if self.phase is Phase.STOPPED:
            raise RpcFault(ErrorCode.INVALID_REQUEST, "the server is shutting down and takes no more requests")
        if self.phase is Phase.FRESH and not first:
            raise RpcFault(ErrorCode.NOT_INITIALIZED, "the first request must be initialize")
        if self.phase is Phase.RUNNING and first:
            raise RpcFault(ErrorCode.INVALID_REQUEST, "initialize may be sent only once")

    def accepted(self, method: str) -> None:
        """A request was found good and is being worked on."""
        if method == INITIALIZE:
            self.phase = Phase.STARTING
        elif method == SHUTDOWN:
            self.phase = Phase.STOPPED

    def started(self, *, well: bool) -> None:
        """`initialize` is done. After a failure the client may try again."""
        if self.phase is Phase.STARTING:
            self.phase = Phase.RUNNING if well else Phase.FRESH

    def close(self) -> None:
        """The client is gone."""
        self.phase = Phase.CLOSED
