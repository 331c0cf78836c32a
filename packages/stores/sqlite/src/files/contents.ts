/** Stores long texts in the database, in parts that each stream stores only once. Before format 6, these texts were files. */
import type { DatabaseSync } from "node:sqlite";
import { joinParts, sha256, splitIntoParts } from "@bridle/core";

/** The tables of format 6. */
export const contentTables = `
  CREATE TABLE contents (
    id TEXT NOT NULL,
    stream INTEGER NOT NULL REFERENCES streams,
    root BLOB NOT NULL,
    depth INTEGER NOT NULL,
    PRIMARY KEY (id, stream)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE parts (
    stream INTEGER NOT NULL REFERENCES streams,
    id BLOB NOT NULL,
    content BLOB NOT NULL,
    UNIQUE (stream, id)
  ) STRICT;
`;

export interface Contents {
  /** Stores a long text of a stream under the text's hash. Call it in a transaction. */
  put(stream: number, id: string, bytes: Buffer): void;
  /** Reads the text with this hash from any stream. */
  get(id: string): string | undefined;
}

export function createContents(database: DatabaseSync): Contents {
  const findAny = database.prepare("SELECT stream, root, depth FROM contents WHERE id = ?");
  const find = database.prepare("SELECT 1 FROM contents WHERE id = ? AND stream = ?");
  const add = database.prepare("INSERT INTO contents (id, stream, root, depth) VALUES (?, ?, ?, ?)");
  const addPart = database.prepare("INSERT OR IGNORE INTO parts (stream, id, content) VALUES (?, ?, ?)");
  const part = database.prepare("SELECT content FROM parts WHERE stream = ? AND id = ?");

  function readPart(stream: number, id: Buffer): Buffer | undefined {
    const content = part.get(stream, id)?.content;
    return content instanceof Uint8Array ? Buffer.from(content) : undefined;
  }

  return {
    put(stream, id, bytes) {
      if (find.get(id, stream)) return;
      const root = splitIntoParts(bytes, (partId, part) => void addPart.run(stream, partId, part));
      add.run(id, stream, root.id, root.depth);
    },
    get(id) {
      const row = findAny.get(id);
      if (!(row?.root instanceof Uint8Array)) return undefined;
      const root = { id: Buffer.from(row.root), depth: Number(row.depth) };
      const bytes = joinParts(root, (partId) => readPart(Number(row.stream), partId));
      return bytes && sha256(bytes) === id ? bytes.toString() : undefined; // the stored text was changed
    },
  };
}
