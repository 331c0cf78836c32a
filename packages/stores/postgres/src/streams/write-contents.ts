/** Stores long texts in parts. Each stream stores a part only once. */
import { joinParts, sha256, splitIntoParts } from "@bridle/core";
import type { SendStatement } from "../database/log-database.ts";

/** The number of parts in one statement: each part takes two of the 65,535 parameters, and at most 16 kB. */
const partsInStatement = 200;

/** Stores a long text of a stream. Storing the same text again has no effect. */
export async function writeContent(send: SendStatement, stream: number, bytes: Buffer, id: string): Promise<void> {
  const known = await send("SELECT 1 FROM contents WHERE id = $1 AND stream = $2", [Buffer.from(id, "hex"), stream]);
  if (known.length > 0) return;
  const parts = new Map<string, Buffer>();
  const root = splitIntoParts(bytes, (partId, part) => parts.set(partId.toString("hex"), part));
  await writeParts(send, stream, parts);
  await send("INSERT INTO contents (id, stream, root, depth) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING", [
    Buffer.from(id, "hex"),
    stream,
    root.id,
    root.depth,
  ]);
}

/** Sends only the parts that the stream does not have yet, because most of a conversation is already stored. */
async function writeParts(send: SendStatement, stream: number, parts: ReadonlyMap<string, Buffer>): Promise<void> {
  const ids = [...parts.keys()].map((id) => Buffer.from(id, "hex"));
  const found = await send("SELECT id FROM parts WHERE stream = $1 AND id = ANY($2::bytea[])", [stream, ids]);
  const stored = new Set(found.map(({ id }) => toHex(id)));
  const missing = [...parts].filter(([id]) => !stored.has(id));
  for (let from = 0; from < missing.length; from += partsInStatement) {
    const some = missing.slice(from, from + partsInStatement);
    const rows = some.map((_, index) => `($1, $${2 * index + 2}, $${2 * index + 3})`);
    const values = some.flatMap(([id, part]) => [Buffer.from(id, "hex"), part]);
    await send(`INSERT INTO parts (stream, id, content) VALUES ${rows.join(", ")} ON CONFLICT DO NOTHING`, [
      stream,
      ...values,
    ]);
  }
}

/** Reads the text with this hash from any stream. */
export async function readContent(send: SendStatement, id: string): Promise<string | undefined> {
  if (!/^[0-9a-f]{64}$/.test(id)) return undefined;
  const [row] = await send("SELECT stream, root, depth FROM contents WHERE id = $1 LIMIT 1", [Buffer.from(id, "hex")]);
  if (!Buffer.isBuffer(row?.root)) return undefined;
  const bytes = await readParts(send, Number(row.stream), { id: row.root, depth: Number(row.depth) });
  return bytes && sha256(bytes) === id ? bytes.toString() : undefined; // the stored text was changed
}

/** Reads the parts of each level with one statement, then joins them. */
async function readParts(
  send: SendStatement,
  stream: number,
  root: { readonly id: Buffer; readonly depth: number },
): Promise<Buffer | undefined> {
  const parts = new Map<string, Buffer>();
  let ids = [root.id];
  for (let level = 0; ; level++) {
    const rows = await send("SELECT id, content FROM parts WHERE stream = $1 AND id = ANY($2::bytea[])", [stream, ids]);
    const contents = rows.flatMap(({ id, content }) => (Buffer.isBuffer(content) ? [{ id, content }] : []));
    for (const { id, content } of contents) parts.set(toHex(id), content);
    if (level === root.depth) break;
    ids = contents.flatMap(({ content }) => splitIds(content));
  }
  return joinParts(root, (id) => parts.get(id.toString("hex")));
}

function splitIds(list: Buffer): Buffer[] {
  return Array.from({ length: Math.floor(list.length / 32) }, (_, at) => list.subarray(at * 32, (at + 1) * 32));
}

function toHex(id: unknown): string {
  return Buffer.isBuffer(id) ? id.toString("hex") : "";
}
