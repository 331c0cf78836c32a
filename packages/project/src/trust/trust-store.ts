/** The file that remembers which effects a user trusts. It is in the user's own folder, never in a project. */
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

/** The state when the content was trusted. It distinguishes the author's own edits from the work of others. */
const authored = z.strictObject({
  /** The folder with the user's own code. */
  folder: z.string(),
  /** How far git's log was; empty before the first commit, and without git. */
  place: z.string(),
  /** Changes when packages are installed. */
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
          /** The hash without the files that the effect loads, and these files. */
          loaded: z.strictObject({ setting: z.string(), files: list }).optional(),
        }),
      ),
      author: authored.optional(),
    }),
  );

const wholeFiles = filesWith(fileList);
export type TrustEntries = z.output<typeof wholeFiles>;
export type TrustedFile = TrustEntries[string];

/** The first version had each list of files in its effect. Several effects often load the same, and each list may be long. */
const trustFile = z.discriminatedUnion("version", [
  z.strictObject({ version: z.literal(1), files: wholeFiles }),
  z.strictObject({
    version: z.literal(2),
    files: filesWith(z.string()),
    /** The lists of files, by their hashes. */
    lists: z.record(z.string(), fileList),
  }),
]);
type StoredFile = z.output<typeof trustFile>;

/** About 20 folders with 20,000 files of code each. A file that is larger is not written, because it could not be read. */
const maxBytes = 64_000_000;

export type TrustChanges = Readonly<Record<string, TrustedFile | undefined>>;

/** Reads and changes the file. `path` is undefined if the environment has no home: nothing is remembered then. */
export class TrustStore {
  readonly path: string | undefined;

  constructor(environment: Environment) {
    const folder = stateFolder(environment);
    this.path = folder && join(folder, "trust.json");
  }

  /** The trusted files by path. Throws ConfigError if the file is damaged or could be another user's. */
  async read(): Promise<TrustEntries> {
    return this.path === undefined ? {} : readTrust(this.path);
  }

  /**
   * Replaces the entries of some files; undefined removes one. `update` gets the current entries, and no other process changes the file
   * meanwhile. Throws the error of `update`, or a ConfigError if nothing can be remembered.
   */
  async change(update: (files: TrustEntries) => TrustChanges): Promise<void> {
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

function readTrust(path: string): TrustEntries {
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

function unpack(stored: StoredFile): TrustEntries {
  if (stored.version === 1) return stored.files;
  const { files, lists } = stored;
  return mapLists(files, (hash) => {
    if (lists[hash] === undefined) throw new Error(`The list ${hash} is missing.`);
    return lists[hash];
  });
}

/** Each list is stored once. */
function textOf(files: TrustEntries): string {
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
    readonly kind: TrustedFile["effects"][number]["kind"];
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
