import { existsSync, lstatSync, statSync } from "node:fs";
import { access, constants, mkdir, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ConfigError } from "@bridle/protocol";
import type { ProjectFile } from "./templates.ts";

export interface NewProject {
  /** Absolute. */
  readonly folder: string;
  /** As messages name it. */
  readonly shown: string;
  readonly files: readonly ProjectFile[];
  /** Whether files that are there may be written over. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/** Throws ConfigError where a project cannot be made, before anything is written and anybody is asked. */
export async function requireFreePlace({ folder, shown, files, force }: Omit<NewProject, "signal">): Promise<void> {
  const place = await stat(folder).catch((error: unknown) => {
    if (codeOf(error) === "ENOTDIR") throw refuse(`A part of ${shown} is a file. Name a folder.`, error);
    return undefined;
  });
  if (place && !place.isDirectory()) throw refuse(`${shown} is a file. Name a folder.`);
  for (const { name } of files) {
    const block = fileInTheWay(folder, dirname(name));
    if (block !== undefined)
      throw refuse(`${block} in ${shown} is a file, and has to be a folder. Name another folder.`);
  }
  const own = files.filter(({ mayReplace }) => !mayReplace).map(({ name }) => name);
  const taken = own.filter((name) => isThere(join(folder, name)));
  if (taken.length > 0 && !force) {
    const them = taken.length === 1 ? "it" : "them";
    throw refuse(
      `${taken.join(", ")} in ${shown} would be written over. Name another folder, or add --force to replace ${them}.`,
    );
  }
  const parent = nearestFolder(folder);
  await access(parent, constants.W_OK | constants.X_OK).catch((cause: unknown) => {
    throw refuse(`${shown} cannot be written (${codeOf(cause)}). Name a folder that can be.`, cause);
  });
}

/**
 * Writes all files, or none: they are made in a folder beside their place and moved at the end. A full disk, an interrupt
 * or a failure in the middle leaves what was there before. Throws ConfigError, and the signal's reason when it is aborted.
 */
export async function writeProject(project: NewProject): Promise<void> {
  const { folder, shown, signal } = project;
  const undo: (() => Promise<unknown>)[] = [];
  try {
    signal.throwIfAborted();
    const first = await mkdir(folder, { recursive: true });
    if (first !== undefined) undo.push(() => rm(first, { recursive: true, force: true }));
    const workshop = await mkdtemp(join(folder, ".bridle-init-"));
    undo.push(() => rm(workshop, { recursive: true, force: true }));
    await makeFiles(join(workshop, "new"), project);
    await moveFiles(workshop, project, undo);
    await rm(workshop, { recursive: true, force: true });
  } catch (cause) {
    for (const step of undo.toReversed()) await step();
    if (signal.aborted) throw signal.reason;
    throw refuse(`${shown} cannot be written (${codeOf(cause)}); nothing was changed. ${remedyFor(cause)}`, cause);
  }
}

async function makeFiles(workshop: string, { files, signal }: NewProject): Promise<void> {
  for (const { name, text } of files) {
    signal.throwIfAborted();
    const path = join(workshop, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: "wx" });
  }
}

/** Each move has its way back. What is in the way is kept in the workshop until all is done. */
async function moveFiles(workshop: string, project: NewProject, undo: (() => Promise<unknown>)[]): Promise<void> {
  const { folder, files, force, signal } = project;
  for (const { name, mayReplace = force } of files) {
    signal.throwIfAborted();
    const place = join(folder, name);
    const made = await mkdir(dirname(place), { recursive: true });
    if (made !== undefined) undo.push(() => rm(made, { recursive: true, force: true }));
    if (isThere(place)) {
      if (!mayReplace) throw Object.assign(new Error(`${name} was made meanwhile`), { code: "EEXIST" });
      const old = join(workshop, "old", name);
      await mkdir(dirname(old), { recursive: true });
      await rename(place, old);
      undo.push(() => rename(old, place));
    }
    await rename(join(workshop, "new", name), place);
    undo.push(() => rm(place, { force: true }));
  }
}

/** The first part of a folder's path that is a file. */
function fileInTheWay(folder: string, name: string): string | undefined {
  if (name === ".") return undefined;
  const parent = fileInTheWay(folder, dirname(name));
  if (parent !== undefined) return parent;
  return statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === false ? name : undefined;
}

/** Also for a link that leads nowhere, which a new file would replace. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

function remedyFor(cause: unknown): string {
  const code = codeOf(cause);
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG") return "Free space, and run it again.";
  if (code === "EEXIST") return "Look at what came into the folder, and run it again.";
  return "Name a folder that can be written.";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

function refuse(message: string, cause?: unknown): ConfigError {
  return new ConfigError(message, { field: "init", cause });
}
