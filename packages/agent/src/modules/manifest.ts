/** Reads the parts of package.json that decide which modules a name refers to. */
import { createRequire } from "node:module";
import { dirname, join, resolve, sep } from "node:path";
import { codeFilesIn, isCode } from "./code-files.ts";
import type { FolderView } from "./folder-view.ts";
import { tryTo } from "./try-to.ts";

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly type?: unknown;
  readonly main?: unknown;
  readonly imports?: unknown;
  readonly exports?: unknown;
}

/** Reads a package.json. Empty if the file does not exist or cannot be read. */
export function readManifest(path: string, view: FolderView): Manifest {
  return view.remember("manifest", path, () => {
    const text = view.isFile(path) ? view.textOf(path) : undefined;
    return (text === undefined ? undefined : tryTo(() => JSON.parse(text))) ?? {};
  });
}

export function nearestManifest(folder: string, view: FolderView): string | undefined {
  const path = join(folder, "package.json");
  if (view.isFile(path)) return path;
  return dirname(folder) === folder ? undefined : nearestManifest(dirname(folder), view);
}

export function isOwnFile(path: string): boolean {
  return !path.includes(`${sep}node_modules${sep}`);
}

/**
 * Returns the files of the package that contains a module, for `#name` and for the package's own name. `pathsOf` finds the files that a
 * name refers to in a folder.
 */
export function mappedPaths(
  name: string,
  from: string,
  view: FolderView,
  pathsOf: (name: string, folder: string) => readonly string[],
): string[] {
  const manifest = nearestManifest(dirname(from), view) ?? nearestManifest(dirname(view.realPathOf(from)), view);
  if (manifest === undefined) return [];
  const { name: own, imports, exports, main } = readManifest(manifest, view);
  const isOwn = own !== undefined && (name === own || name.startsWith(`${own}/`));
  if (!name.startsWith("#") && !isOwn) return [];
  const folder = dirname(manifest);
  const resolved = tryTo(() => [createRequire(from).resolve(name)].filter(isOwnFile)) ?? [];
  const files = allTexts(name.startsWith("#") ? imports : [exports, main]).flatMap((target) => {
    if (!target.includes("*")) return pathsOf(target.startsWith(".") ? target : `./${target}`, folder);
    const start = target.slice(0, target.indexOf("*")).replace(/[^/]*$/, "");
    return codeFilesIn(resolve(folder, start), isCode, view);
  });
  return [...resolved, ...files, manifest].filter((path) => view.isFile(path));
}

/** Returns all strings in a value, at any depth. */
export function allTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(allTexts) : [];
}
