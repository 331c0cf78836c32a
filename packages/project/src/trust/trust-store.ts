/** The file that remembers which effects a user trusts. It is in the user's own folder, never in a project. */
import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolders, readTextFile } from "@bridle/core";
import { ConfigError, effectKinds, systemErrorCode } from "@bridle/protocol";
import { z } from "zod";
import type { Environment } from "../config/variables.ts";
import { stateFolder } from "../namespace/system-folders.ts";
import { findOwnerFault } from "./owner.ts";

const trustedEffect = z.strictObject({
  kind: z.enum(effectKinds),
  subject: z.string(),
  hash: z.string(),
  /** The hash without the files that the effect loads, and the hashes of these, by path. */
  loaded: z.strictObject({ setting: z.string(), files: z.record(z.string(), z.string()) }).optional(),
});

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

const trustFile = z.strictObject({
  version: z.literal(1),
  /** By the path of the file. */
  files: z.record(
    z.string(),
    z.strictObject({
      at: z.string(),
      effects: z.array(trustedEffect),
      author: authored.optional(),
    }),
  ),
});

type TrustedFiles = z.output<typeof trustFile>["files"];
export type TrustedFile = TrustedFiles[string];

/** Reads and changes the file. `path` is undefined if the environment has no home: nothing is remembered then. */
export class TrustStore {
  readonly path: string | undefined;

  constructor(environment: Environment) {
    const folder = stateFolder(environment);
    this.path = folder && join(folder, "trust.json");
  }

  /** The trusted files by path. Throws ConfigError if the file is damaged or could be another user's. */
  async read(): Promise<TrustedFiles> {
    if (this.path === undefined) return {};
    const fault = findOwnerFault(this.path);
    if (fault !== undefined) throw refuse(this.path, fault);
    try {
      return trustFile.parse(JSON.parse(await readTextFile(this.path))).files;
    } catch (cause) {
      const code = cause instanceof Error && "code" in cause ? systemErrorCode(cause) : undefined;
      if (code === "ENOENT") return {};
      throw refuse(this.path, code === undefined ? "is not valid" : `cannot be read (${code})`, cause);
    }
  }

  /** Replaces the entries of these files; undefined removes one. Throws ConfigError if nothing can be remembered. */
  async change(changes: Readonly<Record<string, TrustedFile | undefined>>): Promise<void> {
    if (this.path === undefined) {
      const message =
        "Trust cannot be remembered, because the environment has no HOME. Set it, or add --trust for one command.";
      throw new ConfigError(message, { field: "trust" });
    }
    const files = Object.entries({ ...(await this.read()), ...changes }).filter(([, entry]) => entry !== undefined);
    const text = JSON.stringify({ version: 1, files: Object.fromEntries(files) }, undefined, 2);
    const temporary = `${this.path}.${randomUUID()}`;
    try {
      makeFolders(dirname(this.path));
      await writeFile(temporary, `${text}\n`, { flag: "wx", mode: 0o600 });
      await rename(temporary, this.path);
    } catch (cause) {
      await rm(temporary, { force: true });
      throw refuse(this.path, `cannot be written (${systemErrorCode(cause)})`, cause);
    }
  }
}

function refuse(path: string, problem: string, cause?: unknown): ConfigError {
  const message = `The file with the trusted folders ${problem}: ${path}. Correct or remove it, and trust the folders again.`;
  return new ConfigError(message, { field: "trust", cause });
}
