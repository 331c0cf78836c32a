/** The key that marks state in a project as this user's. The key is stored with the trust decisions, never in a project. */
import { randomBytes, randomUUID } from "node:crypto";
import { link, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolders, readTextFile } from "@bridle/core";
import { ConfigError, systemErrorCode } from "@bridle/protocol";
import type { Environment } from "../config/variables.ts";
import { stateFolder } from "../namespace/system-folders.ts";
import { findOwnerFault } from "./owner.ts";

const keyBytes = 32;

/** The user's environment. A namespace's environment has its home in the project, and a program's environment may have no home. */
export interface OwnerEnvironment {
  readonly environment: Environment;
  readonly processEnvironment?: Environment | undefined;
}

/** Reads the key; undefined before it is created. Throws ConfigError if it is damaged or could be another user's. */
export async function readOwnerKey(owner: OwnerEnvironment): Promise<Uint8Array | undefined> {
  const path = keyPath(owner);
  if (path === undefined) return undefined;
  const fault = findOwnerFault(path);
  if (fault !== undefined) throw refuse(path, fault);
  try {
    const key = Buffer.from(await readTextFile(path), "hex");
    if (key.length !== keyBytes) throw refuse(path, "is damaged");
    return key;
  } catch (cause) {
    if (systemErrorCode(cause) === "ENOENT") return undefined;
    throw cause instanceof ConfigError ? cause : refuse(path, "cannot be read", cause);
  }
}

/** Reads the key, and creates it if it does not exist. Throws ConfigError if that is not possible. */
export async function requireOwnerKey(owner: OwnerEnvironment): Promise<Uint8Array> {
  const found = await readOwnerKey(owner);
  if (found !== undefined) return found;
  const path = keyPath(owner);
  if (path === undefined) {
    throw new ConfigError("State cannot be marked as yours, because the environment has no HOME. Set it.", {
      field: "HOME",
    });
  }
  await createKey(path);
  return requireOwnerKey(owner);
}

/** Creates the key so that other processes see the whole key or none. If several processes create one, the first counts. */
async function createKey(path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    makeFolders(dirname(path));
    await writeFile(draft, `${randomBytes(keyBytes).toString("hex")}\n`, { flag: "wx", mode: 0o600 });
    await link(draft, path);
  } catch (cause) {
    if (systemErrorCode(cause) !== "EEXIST") throw refuse(path, `cannot be written (${systemErrorCode(cause)})`, cause);
  } finally {
    await rm(draft, { force: true });
  }
}

function keyPath({ environment, processEnvironment = environment }: OwnerEnvironment): string | undefined {
  const folder = stateFolder(processEnvironment) ?? stateFolder(process.env);
  return folder && join(folder, "state.key");
}

function refuse(path: string, problem: string, cause?: unknown): ConfigError {
  const message = `The key that marks your state ${problem}: ${path}. Correct or remove the file. Without it, Bridle asks about the state of each folder again.`;
  return new ConfigError(message, { field: "trust", cause });
}
