/**
 * Finds the files that a patch changes, and checks whether the patch may change them. It may change only files in the run's folder, and
 * none that belong to Git or Codex.
 */
import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { HostFileChange } from "../messages/messages.ts";
import { applyPatch } from "./opened-tools.ts";

/** One file of a patch, in the form that rules and the user see. */
export interface PatchFile {
  /** The absolute path, with links resolved. */
  readonly path: string;
  readonly change: "add" | "update" | "delete" | "move_from" | "move_to";
}

/** Folders with files that Git or Codex would load or run later. */
const keptFolders: readonly string[] = [".git", ".codex", ".agents"];

/**
 * Returns the files that the host reports, by their real paths. A file that moves counts as two files. Rejects if a path cannot be
 * resolved.
 */
export async function findPatchFiles(changes: readonly HostFileChange[], folder: string): Promise<PatchFile[]> {
  const files = changes.flatMap(({ path, kind }): PatchFile[] => {
    const target = kind.type === "update" ? kind.move_path : undefined;
    if (!target) return [{ path, change: kind.type }];
    return [
      { path, change: "move_from" },
      { path: target, change: "move_to" },
    ];
  });
  return Promise.all(files.map(async (file) => ({ ...file, path: await realPathOf(resolve(folder, file.path)) })));
}

/** Returns why a patch must not be applied; undefined if it may be applied. */
export function patchProblem(files: readonly PatchFile[], folder: string): string | undefined {
  if (files.length === 0) return `${applyPatch} names no file. Nothing was changed.`;
  for (const { path } of files) {
    const inside = relative(folder, path);
    const parts = inside.split(sep);
    if (isAbsolute(inside) || parts[0] === ".." || inside === "")
      return `${applyPatch} changes only files in its folder, and ${inside || "."} is not a file there. Nothing was changed.`;
    const kept = parts.find((part) => keptFolders.includes(part.toLowerCase()));
    if (kept !== undefined)
      return `${applyPatch} does not change ${inside}, because ${kept} belongs to Git or to the agent's host. Nothing was changed.`;
  }
  return undefined;
}

/** Returns the path with links resolved. If the file does not exist yet, resolves the part of the path that exists. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isMissing(error) || parent === path) throw error;
    const target = await readlink(path).catch(() => undefined);
    return target === undefined ? join(await realPathOf(parent), basename(path)) : realPathOf(resolve(parent, target));
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
