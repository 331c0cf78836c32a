/**
 * Reads the files that git tracks from git's index. Git itself is not started, because the configuration of a repository can name programs
 * that git runs. Format: https://git-scm.com/docs/index-format
 */
import { readdirSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { commonFolder, findRepository, type Repository, readRegularFileSync, readTextFileSync } from "@bridle/core";

export interface TrackedFile {
  /** The path relative to the folder, with `/`. */
  readonly name: string;
  /** The hash of the file's content. */
  readonly hash: string;
}

/**
 * Lists the tracked files below a folder, and the folder itself if it is a submodule; empty outside of a repository. The path must not
 * contain links.
 */
export function listTrackedFiles(folder: string): readonly TrackedFile[] {
  const found = findRepository(dirname(folder));
  if (found === undefined) return [];
  const { gitFolder } = found;
  const files = indexFiles(gitFolder);
  const state = [found.root, ...files.map(stateOf)].join("\n");
  const known = lists.get(folder);
  if (known?.state === state) return known.tracked;
  const tracked = readTracked(folder, found, files);
  lists.set(folder, { state, tracked });
  return tracked;
}

/** The last list of each folder, with the state of the index at that time, because reading a large index takes a while. */
const lists = new Map<string, { readonly state: string; readonly tracked: readonly TrackedFile[] }>();

/** Identifies a version of the index. Git replaces the whole file, so each version has another inode number or other timestamps. */
function stateOf(file: string): string {
  const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true, throwIfNoEntry: false }) ?? {};
  return [file, ino, size, mtimeNs, ctimeNs].join(" ");
}

function readTracked(folder: string, { root, gitFolder }: Repository, files: readonly string[]): TrackedFile[] {
  const prefix = `${relative(root, folder).split(sep).join("/")}/`.toLowerCase(); // some file systems ignore case
  const isInside = (path: string) => path.toLowerCase().startsWith(prefix) || `${path}/`.toLowerCase() === prefix;
  return files
    .flatMap((file) => readIndex(file, gitFolder, isInside))
    .map(({ name, hash }) => ({ name: name.slice(prefix.length), hash }));
}

/** Lists the files of an index: the index itself, and the shared part of a split index. */
function indexFiles(gitFolder: string): string[] {
  try {
    const names = readdirSync(gitFolder).filter((name) => name === "index" || name.startsWith("sharedindex."));
    return names.map((name) => join(gitFolder, name));
  } catch {
    return [];
  }
}

/** The maximum size of an index, about five million files. */
const maxIndexBytes = 500_000_000;

const nothing = Buffer.alloc(0);
const statBytes = 40;
const flagBytes = 2;
const extendedFlag = 0x40_00;

type IsWanted = (name: string) => boolean;

function readIndex(file: string, gitFolder: string, isWanted: IsWanted): TrackedFile[] {
  try {
    const bytes = readRegularFileSync(file, maxIndexBytes);
    if (bytes.toString("latin1", 0, 4) !== "DIRC") return [];
    return readEntries(bytes, hashBytes(gitFolder), isWanted);
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

function readEntries(bytes: Buffer, hashLength: number, isWanted: IsWanted): TrackedFile[] {
  const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
  const entries: TrackedFile[] = [];
  let at = 12;
  let previous: Buffer = nothing;
  for (let read = 0; read < count; read++) {
    const hashAt = at + statBytes;
    const flagsAt = hashAt + hashLength;
    const hasMore = version >= 3 && (bytes.readUInt16BE(flagsAt) & extendedFlag) !== 0;
    const nameAt = flagsAt + flagBytes + (hasMore ? flagBytes : 0);
    const { kept, start } = version === 4 ? readKept(bytes, nameAt, previous) : { kept: nothing, start: nameAt };
    const end = bytes.indexOf(0, start);
    if (end < 0) return entries;
    previous = kept.length === 0 ? bytes.subarray(start, end) : Buffer.concat([kept, bytes.subarray(start, end)]);
    const name = previous.toString("utf8");
    if (isWanted(name)) entries.push({ name, hash: bytes.toString("hex", hashAt, flagsAt) });
    at = version === 4 ? end + 1 : at + Math.ceil((end + 1 - at) / 8) * 8;
  }
  return entries;
}

/** Reads the part of the previous name that version 4 keeps: a number tells how many bytes at the end of that name are dropped. */
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
