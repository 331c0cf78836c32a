/** Caches the databases that Codex creates in every new CODEX_HOME before its first answer (observed on 0.169.0). */
import { lstatSync, mkdtempSync, readdirSync, rmSync, type Stats } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import {
  makeFolders,
  readRegularFileSync,
  readTextFileSync,
  removeOrphanedFolders,
  temporaryPrefix,
} from "@bridle/core";
import { z } from "zod";
import { pinnedCodexVersion } from "../boundary/codex-binary.ts";
import { cacheFolder } from "./cache-folder.ts";

/** The content of each file by its name. */
export type DatabaseFiles = ReadonlyMap<string, Buffer>;

/** Matches the databases and their SQLite logs. A file of another name could be a setting or a login. */
const databaseName = /^\w+\.sqlite(?:-wal)?$/;

/** The maximum size in bytes: more than empty databases have. */
const maxBytes = 4_000_000;

const fileSchema = z.strictObject({
  codex: z.literal(pinnedCodexVersion),
  /** The compressed content of each file, as Base64. */
  databases: z.record(z.string().regex(databaseName), z.base64()),
});

/**
 * A file with the empty databases, in this user's cache. Each process of Codex gets copies of them, which saves most of its start time. The
 * file is created once per version, from a process without a login, key or conversation.
 */
export class EmptyDatabases {
  readonly #path: string | undefined;

  constructor(folder: string | undefined = cacheFolder()) {
    this.#path = folder && join(folder, `codex-${pinnedCodexVersion}-databases.json`);
  }

  /**
   * Reads the databases. Returns undefined if the file is missing or broken, or if another user owns it or can write it. Codex then creates
   * its databases.
   */
  read(): DatabaseFiles | undefined {
    if (this.#path === undefined) return undefined;
    try {
      requireOwn(lstatSync(dirname(this.#path)));
      requireOwn(lstatSync(this.#path));
      const { databases } = fileSchema.parse(JSON.parse(readTextFileSync(this.#path)));
      return new Map(Object.entries(databases).map(([name, text]) => [name, expand(text)]));
    } catch {
      return undefined;
    }
  }

  /** Stores what `make` returns, completely or not at all. If the folder is not writable, rejects without calling `make`. */
  async store(make: () => Promise<DatabaseFiles>): Promise<void> {
    const path = this.#path;
    if (path === undefined) throw new Error("the environment has no home");
    const folder = dirname(path);
    makeFolders(folder);
    requireOwn(lstatSync(folder));
    await removeOrphanedFolders(folder);
    const draft = mkdtempSync(join(folder, temporaryPrefix("bridle-databases")));
    try {
      const databases = Object.fromEntries([...(await make())].map(([name, bytes]) => [name, compress(bytes)]));
      await writeFile(join(draft, "file"), JSON.stringify({ codex: pinnedCodexVersion, databases }), { mode: 0o600 });
      await rename(join(draft, "file"), path);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
}

/** Returns the databases in the CODEX_HOME of a process that has ended. */
export function readDatabases(codexHome: string): DatabaseFiles {
  const names = readdirSync(codexHome).filter((name) => databaseName.test(name));
  return new Map(names.map((name) => [name, readRegularFileSync(join(codexHome, name), maxBytes)]));
}

/** Throws if another user can write the file, which may then be a link or contain anything. */
function requireOwn({ uid, mode }: Stats): void {
  if (process.getuid === undefined) return;
  if (uid !== process.getuid() || (mode & 0o022) !== 0) throw new Error("another user can write it");
}

function compress(bytes: Buffer): string {
  return gzipSync(bytes).toString("base64");
}

/** Decompresses a string. Throws if any bit is wrong. */
function expand(text: string): Buffer {
  return gunzipSync(Buffer.from(text, "base64"), { maxOutputLength: maxBytes });
}
