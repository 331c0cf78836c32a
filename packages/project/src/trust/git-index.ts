/**
 * The files that git tracks, from its index. Git itself is not started: the configuration of a repository can name programs
 * that git runs. Format: https://git-scm.com/docs/index-format
 */
import { readdirSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { commonFolder, findRepository, readRegularFileSync, readTextFileSync } from "@bridle/core";

export interface TrackedFile {
  /** Relative to the folder, with `/`. */
  readonly name: string;
  /** The hash of its content. */
  readonly hash: string;
}

/**
 * The tracked files below a folder, and the folder itself if it is a submodule; empty outside of a repository. The path must not contain
 * links.
 */
export function listTrackedFiles(folder: string): TrackedFile[] {
  const found = findRepository(dirname(folder));
  if (found === undefined) return [];
  const { root, gitFolder } = found;
  const prefix = `${relative(root, folder).split(sep).join("/")}/`.toLowerCase(); // some file systems ignore case
  const isInside = (path: string) => path.toLowerCase().startsWith(prefix) || `${path}/`.toLowerCase() === prefix;
  return indexFiles(gitFolder)
    .flatMap((file) => readIndex(file, gitFolder))
    .filter(({ name }) => isInside(name))
    .map(({ name, hash }) => ({ name: name.slice(prefix.length), hash }));
}

/** The index, and the part of a split index that several share. */
function indexFiles(gitFolder: string): string[] {
  try {
    const names = readdirSync(gitFolder).filter((name) => name === "index" || name.startsWith("sharedindex."));
    return names.map((name) => join(gitFolder, name));
  } catch {
    return [];
  }
}

/** Five million files. */
const maxIndexBytes = 500_000_000;

const statBytes = 40;
const flagBytes = 2;
const extendedFlag = 0x40_00;

function readIndex(file: string, gitFolder: string): TrackedFile[] {
  try {
    const bytes = readRegularFileSync(file, maxIndexBytes);
    if (bytes.toString("latin1", 0, 4) !== "DIRC") return [];
    return readEntries(bytes, hashBytes(gitFolder));
  } catch {
    return []; // an index that git cannot read either
  }
}

function hashBytes(gitFolder: string): number {
  try {
    const config = readTextFileSync(join(commonFolder(gitFolder), "config"));
    return /objectformat\s*=\s*sha256/i.test(config) ? 32 : 20;
  } catch {
    return 20;
  }
}

function readEntries(bytes: Buffer, hashLength: number): TrackedFile[] {
  const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
  const entries: TrackedFile[] = [];
  let at = 12;
  let previous = Buffer.alloc(0);
  for (let read = 0; read < count; read++) {
    const hash = bytes.toString("hex", at + statBytes, at + statBytes + hashLength);
    const flagsAt = at + statBytes + hashLength;
    const hasMore = version >= 3 && (bytes.readUInt16BE(flagsAt) & extendedFlag) !== 0;
    const nameAt = flagsAt + flagBytes + (hasMore ? flagBytes : 0);
    const { kept, start } =
      version === 4 ? readKept(bytes, nameAt, previous) : { kept: Buffer.alloc(0), start: nameAt };
    const end = bytes.indexOf(0, start);
    if (end < 0) return entries;
    previous = Buffer.concat([kept, bytes.subarray(start, end)]);
    entries.push({ name: previous.toString("utf8"), hash });
    at = version === 4 ? end + 1 : at + Math.ceil((end + 1 - at) / 8) * 8;
  }
  return entries;
}

/** The part of the previous name that version 4 keeps: a number states how many bytes at its end are dropped. */
function readKept(bytes: Buffer, at: number, previous: Buffer): { readonly kept: Buffer; readonly start: number } {
  let byte = bytes.readUInt8(at);
  let dropped = byte & 0x7f;
  let start = at + 1;
  for (; byte & 0x80; start++) {
    byte = bytes.readUInt8(start);
    dropped = ((dropped + 1) << 7) | (byte & 0x7f);
  }
  return { kept: previous.subarray(0, previous.length - dropped), start };
}
