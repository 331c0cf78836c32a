/** The file that stores which effects a user trusts. The file is in the user's own folder, never in a project. */
import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inTransaction, makeFolders, openDatabase, readRegularFileSync, sha256, sqliteBusyMs } from "@bridle/core";
import { ConfigError, effectKinds, getErrorMessage, systemErrorCode } from "@bridle/protocol";
import { z } from "zod";
import type { Environment } from "../config/variables.ts";
import { stateFolder } from "../namespace/system-folders.ts";
import { findOwnerFault } from "./owner.ts";

/** The hashes of files, by path. */
const fileList = z.record(z.string(), z.string());
type FileList = z.output<typeof fileList>;

/** The state when the content was trusted, which helps to distinguish the author's edits from the work of others. */
const authored = z.strictObject({
  /** The folder with the user's own code. */
  folder: z.string(),
  /** The position in git's log; empty before the first commit, and without git. */
  place: z.string(),
  /** A string that changes when packages are installed. */
  packages: z.string(),
});
export type Authored = z.output<typeof authored>;

const filesWith = <List extends z.ZodType>(list: List) =>
  z.record(
    z.string(), // the path of the file
    z.strictObject({
      at: z.string(),
      effects: z.array(
        z.strictObject({
          kind: z.enum(effectKinds),
          subject: z.string(),
          hash: z.string(),
          /** The hash of the effect without the files that it loads, and the list of these files. */
          loaded: z.strictObject({ setting: z.string(), files: list }).optional(),
        }),
      ),
      author: authored.optional(),
    }),
  );

const wholeFiles = filesWith(fileList);
export type TrustRecords = z.output<typeof wholeFiles>;
export type TrustRecord = TrustRecords[string];

/** The versions of the file. In the first, each effect contained its file list, although several effects often share a long list. */
const trustFile = z.discriminatedUnion("version", [
  z.strictObject({ version: z.literal(1), files: wholeFiles }),
  z.strictObject({
    version: z.literal(2),
    files: filesWith(z.string()),
    /** The file lists, by their hashes. */
    lists: z.record(z.string(), fileList),
  }),
]);
type StoredFile = z.output<typeof trustFile>;

/** The maximum size, for about 20 folders with 20,000 code files each. A larger file is not written, because it could not be read. */
const maxBytes = 64_000_000;

export type TrustChanges = Readonly<Record<string, TrustRecord | undefined>>;

/** Reads and changes the file. `path` is undefined if the environment has no home; then nothing is stored. */
export class TrustStore {
  readonly path: string | undefined;

  constructor(environment: Environment) {
    const folder = stateFolder(environment);
    this.path = folder && join(folder, "trust.json");
  }

  /** Reads the trusted files by path. Throws ConfigError if the trust file is damaged or could be another user's. */
  async read(): Promise<TrustRecords> {
    return this.path === undefined ? {} : readTrust(this.path);
  }

  /**
   * Replaces the entries of some files; undefined removes an entry. `update` gets the current entries, and no other process changes the
   * file at the same time. Throws the error of `update`, or a ConfigError if nothing can be stored.
   */
  async change(update: (files: TrustRecords) => TrustChanges): Promise<void> {
    const { path } = this;
    if (path === undefined) {
      const message =
        "Trust cannot be remembered, because the environment has no HOME. Set it, or add --trust for one command.";
      throw new ConfigError(message, { field: "trust" });
    }
    whileLocked(path, () => {
      const files = readTrust(path);
      const changed = Object.entries({ ...files, ...update(files) }).flatMap(([key, entry]) =>
        entry === undefined ? [] : [[key, entry] as const],
      );
      write(path, textOf(Object.fromEntries(changed)));
    });
  }
}

function readTrust(path: string): TrustRecords {
  const fault = findOwnerFault(path);
  if (fault !== undefined) throw refuse(path, fault);
  try {
    return unpack(trustFile.parse(JSON.parse(readRegularFileSync(path, maxBytes).toString("utf8"))));
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? systemErrorCode(cause) : undefined;
    if (code === "ENOENT") return {};
    throw refuse(path, code === undefined ? "is not valid" : `cannot be read (${code})`, cause);
  }
}

function unpack(stored: StoredFile): TrustRecords {
  if (stored.version === 1) return stored.files;
  const { files, lists } = stored;
  return mapLists(files, (hash) => {
    if (lists[hash] === undefined) throw new Error(`The list ${hash} is missing.`);
    return lists[hash];
  });
}

/** Formats the content of the file, in which each list is stored once. */
function textOf(files: TrustRecords): string {
  const lists: Record<string, FileList> = {};
  const packed = mapLists(files, (list) => {
    const hash = sha256(JSON.stringify(list));
    lists[hash] = list;
    return hash;
  });
  return `${JSON.stringify({ version: 2, files: packed, lists }, undefined, 2)}\n`;
}

interface WithLists<List> {
  readonly effects: readonly {
    readonly kind: TrustRecord["effects"][number]["kind"];
    readonly subject: string;
    readonly hash: string;
    readonly loaded?: { readonly setting: string; readonly files: List } | undefined;
  }[];
  readonly at: string;
  readonly author?: Authored | undefined;
}

function mapLists<From, To>(files: Readonly<Record<string, WithLists<From>>>, change: (list: From) => To) {
  const entries = Object.entries(files).map(([path, { effects, ...entry }]) => {
    const changed = effects.map(({ loaded, ...effect }) =>
      loaded === undefined ? effect : { ...effect, loaded: { setting: loaded.setting, files: change(loaded.files) } },
    );
    return [path, { ...entry, effects: changed }] as const;
  });
  return Object.fromEntries(entries);
}

/** Runs `work` while no other process changes the file. The lock ends with the process. */
function whileLocked(path: string, work: () => void): void {
  let isLocked = false;
  try {
    makeFolders(dirname(path));
    const database = openDatabase(join(dirname(path), "trust.lock.db"));
    try {
      database.exec(`PRAGMA busy_timeout = ${sqliteBusyMs}`);
      inTransaction(database, () => {
        isLocked = true;
        work();
      });
    } finally {
      database.close();
    }
  } catch (cause) {
    if (isLocked) throw cause;
    const code = cause instanceof Error && "syscall" in cause ? systemErrorCode(cause) : getErrorMessage(cause);
    throw refuse(path, `cannot be written (${code})`, cause);
  }
}

function write(path: string, text: string): void {
  const size = Buffer.byteLength(text);
  if (size > maxBytes) {
    const problem = `is too large to be remembered: ${path} would have ${Math.ceil(size / 1_000_000)} MB, and ${maxBytes / 1_000_000} MB can be read.`;
    const remedy = "Remove folders that you no longer use with bridle trust --revoke, or add --trust for one command.";
    throw new ConfigError(`The trust ${problem} ${remedy}`, { field: "trust" });
  }
  const temporary = `${path}.${randomUUID()}`;
  try {
    writeFileSync(temporary, text, { flag: "wx", mode: 0o600 });
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw refuse(path, `cannot be written (${systemErrorCode(cause)})`, cause);
  }
}

function refuse(path: string, problem: string, cause?: unknown): ConfigError {
  const message = `The file with the trusted folders ${problem}: ${path}. Correct or remove it, and trust the folders again.`;
  return new ConfigError(message, { field: "trust", cause });
}
