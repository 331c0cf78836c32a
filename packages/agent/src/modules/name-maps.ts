/** Files that map names to modules: tsconfig.json, deno.json and import maps. */
import { dirname, join, resolve } from "node:path";
import { isPlainObject } from "@bridle/protocol";
import { parentsBelow, rootOf } from "./code-files.ts";
import type { FolderView } from "./folder-view.ts";
import { localPaths, possibleFiles } from "./local-paths.ts";
import { allTexts } from "./manifest.ts";

/** The names that such a file maps. Targets are paths relative to the folder. */
interface NameMap {
  readonly folder: string;
  readonly targets: readonly (readonly [pattern: string, target: string])[];
  /** Folders that contain the modules of plain names. */
  readonly bases: readonly string[];
}

export interface MappedName {
  /** Some of them may not exist. */
  readonly paths: readonly string[];
  /** Whether there is a map, so that a name without a module may still refer to a module. */
  readonly hasMap: boolean;
}

const fileNames = ["tsconfig.json", "jsconfig.json", "deno.json", "deno.jsonc"];

/** Returns the modules that a name refers to by the maps in these folders and above. */
export function mapName(name: string, folders: readonly string[], view: FolderView): MappedName {
  const maps = [...new Set(folders.flatMap((folder) => parentsBelow(folder, rootOf(join(folder, "_"), view))))].flatMap(
    (folder) => mapsOf(folder, view),
  );
  const paths = maps.flatMap(({ folder, targets, bases }) => [
    ...targets.flatMap(([pattern, target]) => {
      const full = fill(pattern, target, name);
      return full === undefined ? [] : localPaths(/^\.{0,2}\//.test(full) ? full : `./${full}`, folder, view);
    }),
    ...(isPlain(name) ? bases.flatMap((base) => possibleFiles(resolve(base, name), view)) : []),
  ]);
  return { paths, hasMap: maps.length > 0 };
}

/** Whether a name is neither a path nor an address. */
function isPlain(name: string): boolean {
  return !/^(?:[./#]|[a-z]+:)/i.test(name);
}

/**
 * Returns the target for a name that matches the pattern, or else undefined. A relative pattern depends on the importing module, so it
 * matches every name.
 */
function fill(pattern: string, target: string, name: string): string | undefined {
  if (pattern === name || /^\.{0,2}\//.test(pattern)) return target;
  if (pattern.endsWith("/") && name.startsWith(pattern)) return `${target}${name.slice(pattern.length)}`;
  const [start = "", end, ...more] = pattern.split("*");
  if (end === undefined || more.length > 0) return undefined;
  const fits = name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
  return fits ? target.replace("*", () => name.slice(start.length, name.length - end.length)) : undefined;
}

function mapsOf(folder: string, view: FolderView): readonly NameMap[] {
  return view.remember("name maps", folder, () =>
    fileNames.flatMap((file) => readMaps(join(folder, file), view, new Set())),
  );
}

/** Reads the maps of a file and of the files that it includes. For a file that cannot be parsed, it returns a map without known names. */
function readMaps(path: string, view: FolderView, seen: Set<string>): NameMap[] {
  if (seen.has(path) || !view.isFile(path)) return [];
  seen.add(path);
  const folder = dirname(path);
  const value = parseJsonc(view.textOf(path) ?? "");
  if (!isPlainObject(value)) return [{ folder, targets: [], bases: [] }];
  const options = isPlainObject(value.compilerOptions) ? value.compilerOptions : {};
  const base = typeof options.baseUrl === "string" ? resolve(folder, options.baseUrl) : undefined;
  const scopes = isPlainObject(value.scopes) ? Object.values(value.scopes) : [];
  const own = [
    { folder: base ?? folder, targets: targetsIn(options.paths), bases: base === undefined ? [] : [base] },
    { folder, targets: [value.imports, ...scopes].flatMap(targetsIn), bases: [] },
  ].filter(({ targets, bases }) => targets.length > 0 || bases.length > 0);
  const included = [...allTexts(value.extends), ...allTexts(value.importMap)].flatMap((name) =>
    possibleFiles(resolve(folder, name), view).filter(
      (each) => each.endsWith(".json") || each === resolve(folder, name),
    ),
  );
  const members = allTexts(isPlainObject(value.workspace) ? value.workspace.members : value.workspace);
  return [
    ...own,
    ...(members.length > 0 ? [{ folder, targets: [], bases: [] }] : []),
    ...included.flatMap((each) => readMaps(each, view, seen)),
  ];
}

function targetsIn(value: unknown): (readonly [string, string])[] {
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([pattern, target]) => allTexts(target).map((each) => [pattern, each] as const));
}

/** Parses JSON with comments and trailing commas; undefined for other strings. */
function parseJsonc(text: string): unknown {
  const plain = text.replace(
    /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g,
    (_, word: string | undefined) => word ?? "",
  );
  try {
    return JSON.parse(plain.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
