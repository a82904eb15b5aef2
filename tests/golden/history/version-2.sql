-- A history as version 2 keeps it, with one entry. Never changed: such files are out there.
PRAGMA application_id = 1098085236;
PRAGMA user_version = 2;
BEGIN TRANSACTION;
CREATE TABLE calls (
        call_id TEXT PRIMARY KEY,
        session_id TEXT NOT NULL,
        state TEXT NOT NULL,
        approval_id TEXT,
        subject TEXT NOT NULL,
        withheld INTEGER NOT NULL
    );
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
    ;
CREATE TABLE entries (n INTEGER PRIMARY KEY, hash TEXT NOT NULL, body TEXT NOT NULL);
INSERT INTO "entries" VALUES(1,'382668b86341f1bb2745c5abbbaa41514522c289e9338d996f2c87b5618c52e2','{"agent_id":"demo","agent_name":"Demo","approval_id":"approval of call-1","args":"{\"command\":\"ls\"}","at":"2030-01-31T12:00:00.000Z","by":"user","call_id":"call-1","category":"execute","digest":"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd","directory":"/home/me/code","ending":"allowed","folder":"/home/me/code","headline":"Run a command","mode":"default","option":"allow_once","path":["Demo"],"reason":"needs_approval","run_id":"run-1","session_id":"chat-1","stage":"decided","text":"The user allowed it.","tool":"bash","waited_ms":1200}');
CREATE TABLE facts (
        n INTEGER PRIMARY KEY, at INTEGER, stage INTEGER, ending INTEGER, by INTEGER, reason INTEGER, option INTEGER,
        tool INTEGER, agent_id INTEGER, agent_name INTEGER, folder INTEGER, session INTEGER, call INTEGER,
        one INTEGER, asked INTEGER, waited INTEGER, took INTEGER);
INSERT INTO "facts" VALUES(1,1896091200000,77645278836248,129046603667297,2732886250417,44531391872362,68636012234846,30689027600077,23414697237157,75962405592462,24373941158351,129148736035043,51387973139000,4032315334920825404,1,1200,NULL);
CREATE TABLE gists (span INTEGER PRIMARY KEY, bits BLOB NOT NULL);
CREATE TABLE messages (
        session_id TEXT NOT NULL,
        place INTEGER NOT NULL,
        message TEXT NOT NULL,
        PRIMARY KEY (session_id, place)
    );
CREATE TABLE outcomes (
        session_id TEXT NOT NULL,
        call_id TEXT NOT NULL,
        outcome TEXT NOT NULL,
        PRIMARY KEY (session_id, call_id)
    );
CREATE TABLE transcript (
        session_id TEXT NOT NULL,
        n INTEGER NOT NULL,
        run_id TEXT NOT NULL,
        event TEXT NOT NULL,
        PRIMARY KEY (session_id, n)
    );
CREATE TABLE turns (session_id TEXT PRIMARY KEY, turn TEXT NOT NULL);
CREATE INDEX facts_of_session ON facts (session);
CREATE INDEX facts_of_call ON facts (call);
CREATE INDEX chats_by_folder ON chats (folder, used);
CREATE INDEX calls_by_chat ON calls (session_id);
COMMIT;
