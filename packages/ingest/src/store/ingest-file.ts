/**
 * The file of ingest: `context/ingest.sqlite` in the state folder of a project. If the file is lost, everything is fetched and asked again.
 */
import { StateFile } from "@bridle/core";
import { IngestStoreError } from "./store-errors.ts";

/**
 * `items` has the current version of each item. `fetched` is the run that saw the item last, and `added` the run that saw it first. `built`
 * is the last version that was read completely, with the keys of the answers about it. `withheld` has names that address an assistant.
 * `versions` has the instructions found in a text when it was staged. `claims` has the claims of the last applied run, and `former_claims`
 * those that ended earlier. `answers` are final; `attempts` belong to units that did not finish, and are replaced in the next run. `checks`
 * has the results of checking joins and models against the warehouse.
 */
const schema = `
  CREATE TABLE sources (
    name TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    cursor TEXT,
    completed_at TEXT,
    findings TEXT NOT NULL DEFAULT '[]'
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE items (
    source TEXT NOT NULL,
    id TEXT NOT NULL,
    version TEXT NOT NULL,
    item TEXT NOT NULL,
    added INTEGER NOT NULL,
    fetched INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    built TEXT,
    keys TEXT NOT NULL DEFAULT '[]',
    withheld TEXT NOT NULL,
    PRIMARY KEY (source, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX items_by_version ON items (version);
  CREATE TABLE versions (
    version TEXT PRIMARY KEY,
    text_hash TEXT NOT NULL,
    detector INTEGER NOT NULL,
    marks TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE projected (
    source TEXT NOT NULL,
    place INTEGER NOT NULL,
    candidate TEXT NOT NULL,
    PRIMARY KEY (source, place)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE answers (
    key TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    stage TEXT NOT NULL,
    value TEXT NOT NULL,
    stored_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE answer_versions (
    version TEXT NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (version, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE attempts (key TEXT PRIMARY KEY, value TEXT NOT NULL, version TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE checks (key TEXT PRIMARY KEY, problem TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE spending (
    run INTEGER NOT NULL,
    stage TEXT NOT NULL,
    role TEXT NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost_usd REAL,
    PRIMARY KEY (run, stage, role, model)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE claims (id TEXT PRIMARY KEY, claim TEXT NOT NULL, added_at TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE former_claims (
    place INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    claim TEXT NOT NULL,
    added_at TEXT NOT NULL,
    ended_at TEXT NOT NULL,
    replaced_by TEXT
  ) STRICT;
  CREATE INDEX former_claims_by_id ON former_claims (id);
  CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    pid INTEGER NOT NULL,
    start_time TEXT,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    progress TEXT,
    outcome TEXT
  ) STRICT;
`;

export const ingestState = new StateFile({
  formats: [schema],
  subject: "What ingest has stored in",
  again: "ingest again",
  error: IngestStoreError,
});
