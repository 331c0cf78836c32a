import { existsSync, lstatSync, statSync } from "node:fs";
import { access, constants, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createPrivateFolder, makeFolders, makePrivate, removeOrphanedFolders, temporaryPrefix } from "@bridle/core";
import { ConfigError, systemErrorCode } from "@bridle/protocol";
import type { NewProjectFile } from "./templates.ts";

export interface NewProject {
  /** The absolute path of the folder. */
  readonly folder: string;
  /** The folder as messages name it. */
  readonly shown: string;
  readonly files: readonly NewProjectFile[];
  /** Whether existing files may be overwritten. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/** Throws ConfigError if the project cannot be created in this folder. Writes nothing. */
export async function requireWritable({ folder, shown, files, force }: Omit<NewProject, "signal">): Promise<void> {
  const found = await stat(folder).catch((error: unknown) => {
    if (systemErrorCode(error) === "ENOTDIR")
      throw refuse(`Part of the path ${shown} is a file. Name a folder.`, error);
    return undefined;
  });
  if (found && !found.isDirectory()) throw refuse(`${shown} is a file. Name a folder.`);
  const parent = nearestFolder(folder);
  await access(parent, constants.W_OK | constants.X_OK).catch((cause: unknown) => {
    throw refuse(`${shown} cannot be written (${systemErrorCode(cause)}). Name a writable folder.`, cause);
  });
  for (const { name } of files) {
    const block = fileInTheWay(folder, dirname(name));
    if (block !== undefined)
      throw refuse(`${block} in ${shown} is a file, but the project needs a folder of this name. Name another folder.`);
  }
  const own = files.filter(({ mayReplace }) => !mayReplace).map(({ name }) => name);
  const taken = own.filter((name) => exists(join(folder, name)));
  if (taken.length > 0 && !force) {
    const them = taken.length === 1 ? "it" : "them";
    throw refuse(
      `${taken.join(", ")} in ${shown} ${taken.length === 1 ? "exists" : "exist"} already. Name another folder, or add --force to replace ${them}.`,
    );
  }
}

/**
 * Writes all files or none: creates them in a temporary folder and moves them at the end. After a full disk, an interrupt or another
 * failure, the previous state is restored. Throws ConfigError, and the signal's reason when it is aborted.
 */
export async function writeProject(project: NewProject): Promise<void> {
  const { folder, shown, signal } = project;
  const undo: (() => Promise<unknown>)[] = [];
  try {
    signal.throwIfAborted();
    const first = makeFolders(folder, { isShared: true });
    if (first !== undefined) undo.push(() => rm(first, { recursive: true, force: true }));
    await removeOrphanedFolders(folder).catch(() => {}); // of an earlier init that was killed
    const temporary = await mkdtemp(join(folder, temporaryPrefix(".bridle-init")));
    undo.push(() => rm(temporary, { recursive: true, force: true }));
    await createFiles(join(temporary, "new"), project);
    await moveFiles(temporary, project, undo);
    await rm(temporary, { recursive: true, force: true });
  } catch (cause) {
    for (const step of undo.toReversed()) await step();
    if (signal.aborted) throw signal.reason;
    throw refuse(
      `${shown} cannot be written (${systemErrorCode(cause)}); nothing was changed. ${findRemedy(cause)}`,
      cause,
    );
  }
}

async function createFiles(temporary: string, { files, signal }: NewProject): Promise<void> {
  for (const { name, text } of files) {
    signal.throwIfAborted();
    const path = join(temporary, name);
    makeFolders(dirname(path), { isShared: true });
    await writeFile(path, text, { flag: "wx" });
  }
}

/** Moves a file, and adds a step that undoes the move. Replaced files stay in the temporary folder until all files are moved. */
async function moveFiles(temporary: string, project: NewProject, undo: (() => Promise<unknown>)[]): Promise<void> {
  const { folder, files, force, signal } = project;
  for (const { name, mayReplace = force } of files) {
    signal.throwIfAborted();
    const path = join(folder, name);
    const created = makeFolders(dirname(path), { isShared: true });
    if (created !== undefined) undo.push(() => rm(created, { recursive: true, force: true }));
    if (exists(path)) {
      if (!mayReplace) throw Object.assign(new Error(`${name} was created in the meantime`), { code: "EEXIST" });
      const old = join(temporary, "old", name);
      makeFolders(dirname(old), { isShared: true });
      await rename(path, old);
      undo.push(() => rename(old, path));
    }
    if (isState(name)) createPrivateFolder(dirname(path));
    await rename(join(temporary, "new", name), path);
    undo.push(() => rm(path, { force: true }));
    if (isState(name)) makePrivate(path);
  }
}

/** Whether the file belongs to the project's state, which only the user can read and git ignores. */
function isState(name: string): boolean {
  return name.startsWith(".bridle/");
}

/** Finds the first part of a folder's path that is a file. */
function fileInTheWay(folder: string, name: string): string | undefined {
  if (name === ".") return undefined;
  const parent = fileInTheWay(folder, dirname(name));
  if (parent !== undefined) return parent;
  return statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === false ? name : undefined;
}

/** Whether a path exists. Also true for a broken link, which a new file would replace. */
function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

function findRemedy(cause: unknown): string {
  const code = systemErrorCode(cause);
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG") return "Free some space, and run it again.";
  if (code === "EEXIST") return "Look at the new files in the folder, and run it again.";
  return "Name a writable folder.";
}

function refuse(message: string, cause?: unknown): ConfigError {
  return new ConfigError(message, { field: "init", cause });
}
