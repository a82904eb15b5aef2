"""The tables of chats and of the calls that wait or run. What is closed is deleted; the history is elsewhere."""

VERSION_1 = (
    """
    CREATE TABLE chats (
        session_id TEXT PRIMARY KEY,
        folder TEXT NOT NULL,
        agent_id TEXT NOT NULL,
        agent_name TEXT NOT NULL,
        agent_digest TEXT NOT NULL,
        mode TEXT NOT NULL,
        opened TEXT NOT NULL,
        used TEXT NOT NULL,
        owner TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    "CREATE INDEX chats_by_folder ON chats (folder, used)",
    """
    CREATE TABLE transcript (
        session_id TEXT NOT NULL,
        n INTEGER NOT NULL,
        run_id TEXT NOT NULL,
        event TEXT NOT NULL,
        PRIMARY KEY (session_id, n)
    )
    """,
    """
    CREATE TABLE messages (
        session_id TEXT NOT NULL,
        place INTEGER NOT NULL,
        message TEXT NOT NULL,
        PRIMARY KEY (session_id, place)
    )
    """,
    "CREATE TABLE turns (session_id TEXT PRIMARY KEY, turn TEXT NOT NULL)",
    """
    CREATE TABLE outcomes (
        session_id TEXT NOT NULL,
        call_id TEXT NOT NULL,
        outcome TEXT NOT NULL,
        PRIMARY KEY (session_id, call_id)
    )
    """,
    """
    CREATE TABLE calls (
        call_id TEXT PRIMARY KEY,
        session_id TEXT NOT NULL,
        state TEXT NOT NULL,
        approval_id TEXT,
        subject TEXT NOT NULL,
        withheld INTEGER NOT NULL
    )
    """,
    "CREATE INDEX calls_by_chat ON calls (session_id)",
)
