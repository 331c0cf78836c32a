import { randomUUID } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { removeOrphanedFolders } from "@bridle/core";
import { createHostFolder } from "@bridle/host-shared";
import { AuthenticationError, type HostEnvironment } from "@bridle/protocol";
import { applyPatch } from "../boundary/opened-tools.ts";
import type { DatabaseFiles } from "./empty-databases.ts";

/** The folders of one process. They do not contain the user's settings, skills or memories. */
export interface PrivateHome {
  readonly codexHome: string;
  /** The empty working folder of the process. */
  readonly workingFolder: string;
  readonly catalogFile: string;
  /**
   * A link to Codex under the name of the program that applies patches. Codex determines from the name what it has to do. Missing if
   * patches are closed.
   */
  readonly patchProgram: string;
  /** The path of a folder that does not exist, used as the search path for programs. */
  readonly noPrograms: string;
  /** The variables that make the process, and everything that it starts, use these folders. */
  readonly variables: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/**
 * Creates the folders, with copies of the databases, and with `patchBinary` as the program for patches. The folder has a link to the user's
 * login instead of a copy: Codex reads the login and writes a refreshed login through the link. Even a logout removes only the link
 * (observed on 0.169.0).
 */
export function createPrivateHome(
  environment: HostEnvironment,
  loginFile: string | undefined,
  {
    catalog,
    patchBinary,
    databases = new Map(),
  }: { catalog: string; patchBinary?: string | undefined; databases?: DatabaseFiles | undefined },
): PrivateHome {
  const parent = environment.TMPDIR || tmpdir();
  const folder = createHostFolder(parent);
  void removeOrphanedFolders(parent).catch(() => {}); // a folder that cannot be removed must not fail this call
  const [codexHome, home, temporary, workingFolder] = ["codex", "home", "tmp", "work"].map((name) => {
    const path = join(folder.path, name);
    mkdirSync(path, { mode: 0o700 });
    return path;
  }) as [string, string, string, string];
  writeFileSync(join(codexHome, "installation_id"), randomUUID()); // otherwise Codex creates this file, and waits for the disk
  for (const [name, bytes] of databases) writeFileSync(join(codexHome, name), bytes);
  if (loginFile !== undefined) symlinkSync(loginFile, join(codexHome, "auth.json"));
  const catalogFile = join(folder.path, "models.json");
  writeFileSync(catalogFile, catalog);
  const patchProgram = join(folder.path, applyPatch);
  if (patchBinary !== undefined) symlinkSync(patchBinary, patchProgram); // some systems do not allow links
  return {
    patchProgram,
    codexHome,
    workingFolder,
    catalogFile,
    noPrograms: join(folder.path, "none"),
    variables: {
      CODEX_HOME: codexHome,
      HOME: home,
      USERPROFILE: home,
      TMPDIR: temporary,
      TEMP: temporary,
      TMP: temporary,
    },
    remove: () => folder.remove(),
  };
}

/** Returns the folder with the user's own login and settings. */
export function codexConfigFolder(environment: HostEnvironment): string {
  return resolve(environment.CODEX_HOME || join(environment.HOME || homedir(), ".codex"));
}

export function loginFileOf(environment: HostEnvironment): string {
  return join(codexConfigFolder(environment), "auth.json");
}

/**
 * Returns the path of the login. Throws AuthenticationError if none is stored, because Codex would then send requests without credentials.
 */
export async function requireLogin(environment: HostEnvironment): Promise<string> {
  const file = loginFileOf(environment);
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile()) return file;
  throw notLoggedInError();
}

export const loginRemedy = 'Run "codex login" once, or choose another auth mode or backend in bridle.yaml.';

function notLoggedInError(): AuthenticationError {
  return new AuthenticationError(`Codex is not logged in (auth: session). ${loginRemedy}`);
}
