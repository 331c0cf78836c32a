/**
 * Splits content into parts that are stored once. A model's input repeats the whole conversation with each turn, so a session that stored
 * every input whole would grow with the square of its length. The cuts depend only on the content, so content that begins or ends like
 * earlier content shares its parts. The list of parts is split in the same way, so the size that a turn adds does not grow with the
 * conversation.
 */
import { createHash } from "node:crypto";

/** Where content is found: the id of its only part, or of the list of lists of its parts. */
export interface ContentRoot {
  readonly id: Buffer;
  /** How many levels of lists are above the parts. */
  readonly depth: number;
}

const idBytes = 32;
/** The size of a part in bytes: the minimum, a mask that gives an average of about 4096, and the maximum. */
const [minBytes, cutMask, maxBytes] = [1024, 0xfff, 16_384];
const hashedBytes = 32;
/** The number of ids in a list: a mask that gives an average of about 64, and the maximum. */
const [listMask, maxIds] = [0x3f, 256];

/** Splits content into parts. Calls `keep` with each part and its id; parts come before the lists that contain them. */
export function splitIntoParts(content: Buffer, keep: (id: Buffer, part: Buffer) => void): ContentRoot {
  const add = (part: Buffer): Buffer => {
    const id = createHash("sha256").update(part).digest();
    keep(id, part);
    return id;
  };
  let ids = cutContent(content).map(add);
  let depth = 0;
  for (; ids.length > 1; depth++) ids = cutIds(ids).map((group) => add(Buffer.concat(group)));
  return { id: ids[0] ?? add(Buffer.alloc(0)), depth };
}

/** Joins the content of a root. Returns undefined if a part is missing. */
export function joinParts(root: ContentRoot, read: (id: Buffer) => Buffer | undefined): Buffer | undefined {
  let ids: Buffer[] = [root.id];
  for (let level = 0; level <= root.depth; level++) {
    const parts: Buffer[] = [];
    for (const id of ids) {
      const part = read(id);
      if (part === undefined) return undefined;
      parts.push(part);
    }
    if (level === root.depth) return Buffer.concat(parts);
    ids = parts.flatMap(readIds);
  }
  return undefined;
}

function readIds(list: Buffer): Buffer[] {
  return Array.from({ length: Math.floor(list.length / idBytes) }, (_, index) =>
    list.subarray(index * idBytes, (index + 1) * idBytes),
  );
}

/** Cuts where a hash of the last bytes has a certain form, so that a change moves only the adjacent cuts. */
function cutContent(content: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let start = 0; start < content.length; ) {
    const end = findCut(content, start);
    parts.push(content.subarray(start, end));
    start = end;
  }
  return parts;
}

/** Returns the end of the part that begins at `start`. Each step shifts the hash by a bit, so only the last 32 bytes count. */
function findCut(content: Buffer, start: number): number {
  const last = Math.min(start + maxBytes, content.length);
  const min = start + minBytes;
  let hash = 0;
  for (let at = min - hashedBytes; at < last; at++) {
    hash = ((hash << 1) + (gears[content[at] as number] as number)) | 0;
    if (at + 1 >= min && (hash & (cutMask << 16)) === 0) return at + 1;
  }
  return last;
}

/** Cuts after each id of a certain form. A list has at least two ids, so that each level is shorter than the level below. */
function cutIds(ids: readonly Buffer[]): Buffer[][] {
  const groups: Buffer[][] = [];
  let group: Buffer[] = [];
  for (const id of ids) {
    group.push(id);
    const isEnd = ((id[0] ?? 0) & listMask) === 0;
    if (group.length < 2 || !(isEnd || group.length === maxIds)) continue;
    groups.push(group);
    group = [];
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

/** A fixed 32-bit number for each byte. */
const gears = Int32Array.from({ length: 256 }, (_, byte) =>
  createHash("sha256").update(`bridle parts ${byte}`).digest().readInt32LE(0),
);
