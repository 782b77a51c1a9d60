-- A run's journal. A submission is done when `result` names a report, and that is one commit.

CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE sources (digest TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT;

CREATE TABLE results (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,                 -- see course.key: what the report depends on
    complete INTEGER NOT NULL,         -- whether every row has a result
    verdict TEXT NOT NULL,
    points REAL NOT NULL,
    report BLOB NOT NULL,              -- the published JSON, compressed; staff's view
    graded_at TEXT NOT NULL,
    graded_seconds REAL NOT NULL
) STRICT;
CREATE INDEX results_by_key ON results (key);

CREATE TABLE submissions (
    id INTEGER PRIMARY KEY,
    student TEXT NOT NULL,
    problem TEXT NOT NULL,
    path TEXT NOT NULL,
    digest TEXT NOT NULL REFERENCES sources,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    submitted_at TEXT,
    todo TEXT CHECK (todo IN ('grade', 'again', 'propose')),
    begun INTEGER NOT NULL DEFAULT 0,        -- an engine has it
    tries INTEGER NOT NULL DEFAULT 0,        -- gradings that failed
    interrupted INTEGER NOT NULL DEFAULT 0,  -- drivers that ended meanwhile: nobody's fault
    error TEXT NOT NULL DEFAULT '',
    fault TEXT NOT NULL DEFAULT '',          -- whose, of what was given up: grader or author
    key TEXT,                                -- of the last grading, also of one that failed
    result INTEGER REFERENCES results,
    waited_seconds REAL,
    UNIQUE (student, problem)
) STRICT;
CREATE INDEX submissions_to_do ON submissions (todo, tries, interrupted);

CREATE TABLE proposals (
    submission INTEGER PRIMARY KEY REFERENCES submissions,
    result INTEGER NOT NULL REFERENCES results,
    waited_seconds REAL
) STRICT;

CREATE TABLE overrides (
    id INTEGER PRIMARY KEY,
    student TEXT NOT NULL,
    problem TEXT NOT NULL,
    points REAL,                       -- NULL takes an earlier one back
    author TEXT NOT NULL,
    reason TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;

CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    student TEXT NOT NULL,
    problem TEXT NOT NULL,
    what TEXT NOT NULL,
    detail TEXT NOT NULL
) STRICT;
