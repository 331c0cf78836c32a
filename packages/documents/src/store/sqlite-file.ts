import { StateFile } from "@bridle/core";
import { DocumentStoreError } from "./store-errors.ts";

/**
 * The full-text table also stores its text. A contentless table (`contentless_delete`) would keep counting removed rows in its ranking
 * (SQLite 3.53.4).
 */
const schema = `
  CREATE TABLE files (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, hash TEXT NOT NULL) STRICT;
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    file INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
    place INTEGER NOT NULL,
    fields TEXT NOT NULL
  ) STRICT;
  CREATE INDEX chunks_by_file ON chunks (file, place);
  CREATE TABLE vectors (chunk INTEGER PRIMARY KEY REFERENCES chunks ON DELETE CASCADE, vector BLOB NOT NULL) STRICT;
  CREATE VIRTUAL TABLE words USING fts5(terms, tokenize='ascii');
  CREATE TABLE space (model TEXT NOT NULL, dimensions INTEGER NOT NULL) STRICT;
`;

const stamps =
  "CREATE TABLE stamps (file INTEGER PRIMARY KEY REFERENCES files ON DELETE CASCADE, stamp TEXT NOT NULL) STRICT";

const problems = `
  CREATE TABLE warnings (file INTEGER NOT NULL REFERENCES files ON DELETE CASCADE, problem TEXT NOT NULL) STRICT;
  CREATE INDEX warnings_by_file ON warnings (file);
  CREATE TABLE left_out (name TEXT NOT NULL, kind TEXT NOT NULL, problem TEXT NOT NULL) STRICT;
`;

/** The file of an index. Each format adds tables. */
export const indexFile = new StateFile({
  formats: [schema, stamps, problems],
  subject: "The index",
  again: "build the index again",
  remedy: "Build it again: bridle documents index --rebuild.",
  error: DocumentStoreError,
});
