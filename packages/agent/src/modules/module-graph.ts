/** The modules and packages that code of the user can reach by its imports. */
import fs, { realpathSync, statSync } from "node:fs";
import nodeModule, { createRequire, isBuiltin } from "node:module";
import { basename, dirname, join, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readRegularFileSync, sha256 } from "@bridle/core";
import { fileContent } from "@bridle/project";

const mostFiles = 500;
const largestFile = 20_000_000;

export interface ModuleGraph {
  /** Hashes of files, by their absolute paths: the entries, and every module that they import by a path. */
  readonly files: ReadonlyMap<string, string>;
  /** Versions of the imported packages, by name. The content of a package that is linked from elsewhere counts, too. */
  readonly packages: ReadonlyMap<string, string>;
}

/** Reads what these files import, directly and through other local modules. Files that cannot be read are left out. */
export function readModuleGraph(entries: readonly string[]): ModuleGraph {
  const files = new Map<string, string>();
  const packages = new Map<string, string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined && files.size < mostFiles; path = waiting.pop()) {
    if (files.has(path) || !isReadableFile(path)) continue;
    files.set(path, fileContent(path));
    for (const name of importsOf(path)) {
      const local = localPaths(name, path);
      waiting.push(...local);
      if (local.length === 0) addPackage(name, path, packages);
    }
  }
  return { files: sorted(files), packages: sorted(packages) };
}

function sorted(map: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...map].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function isReadableFile(path: string): boolean {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= largestFile;
  } catch {
    return false;
  }
}

/** A comment may come before the name. Names in comments count as well, which only makes the graph larger. */
const before = String.raw`\s*(?:\(\s*)?(?:\/\*[^*]{0,200}\*\/\s*)?`;
const imported = new RegExp(
  String.raw`(?:\bfrom|\bimport(?:\.meta\.resolve)?|\brequire(?:\.resolve)?)${before}["'${"`"}]([^"'${"`"}\n]{1,1000})["'${"`"}]`,
  "g",
);
/** Code for a worker, such as `new URL("./worker.js", import.meta.url)`. Other files may be data that the code writes. */
const ownFile = /\bnew URL\(\s*["'`](\.{1,2}\/[^"'`\n]{1,1000}\.[cm]?[jt]s)["'`]\s*,\s*import\.meta\.url/g;

function importsOf(path: string): string[] {
  if (path.endsWith(".py")) return pythonImportsOf(path);
  if (!/\.[cm]?[jt]sx?$/.test(path)) return [];
  const text = readText(path);
  return [imported, ownFile].flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = ""]) => name));
}

const pythonImported = /^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+([^\n#]+)|import[ \t]+([^\n#]+))/gm;

/**
 * Paths that the imports of a Python file may mean: modules beside it and in the folders above it, which are where its packages
 * begin. Names of installed packages are paths without a file.
 */
function pythonImportsOf(path: string): string[] {
  return [...readText(path).matchAll(pythonImported)].flatMap(([, from, names = "", modules = ""]) => {
    const listed = (from === undefined ? modules : names).split(",").map((name) => name.trim().split(/\s/)[0] ?? "");
    const wanted = from === undefined ? listed : [from, ...listed.map((name) => `${from}.${name}`)];
    return wanted.flatMap((name) => {
      const parts = name.split(".").filter((part) => /^\w+$/.test(part));
      const inner = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
      return inner.flatMap((each) =>
        ["./", "../", "../../", "../../../"].flatMap((up) => [`${up}${each}.py`, `${up}${each}/__init__.py`]),
      );
    });
  });
}

const endings = ["", ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".json", "/index.js", "/index.ts"];

/** The files that a name can mean; none for the name of a package. */
function localPaths(name: string, from: string): string[] {
  if (name.startsWith("file:")) return tryTo(() => [fileURLToPath(name)]) ?? [];
  if (name.startsWith("#")) return (tryTo(() => [createRequire(from).resolve(name)]) ?? []).filter(isOwnFile);
  if (!/^\.{0,2}\//.test(name) && name !== "." && name !== "..") return [];
  const bare = name.replace(/[?#].*$/, "");
  return endings.map((ending) => resolve(dirname(from), bare + ending));
}

function isOwnFile(path: string): boolean {
  return !path.includes(`${sep}node_modules${sep}`);
}

function addPackage(name: string, from: string, packages: Map<string, string>): void {
  if (isBuiltin(name) || /^[a-z]+:|^[#./]/.test(name)) return;
  const found = tryTo(() => nodeModule.findPackageJSON(name, pathToFileURL(from)));
  if (found === undefined) return;
  const manifest = tryTo(() => realpathSync(found)) ?? found;
  const { name: own = basename(dirname(manifest)), version = "" } = readManifest(manifest);
  const isLinked = isOwnFile(manifest) && own !== "bridle" && !own.startsWith("@bridle/");
  packages.set(own, isLinked ? `${version} ${folderContent(dirname(manifest))}` : version);
}

function readManifest(path: string): { readonly name?: string; readonly version?: string } {
  return tryTo(() => JSON.parse(readText(path))) ?? {};
}

/** A package of the same repository changes without its version. */
function folderContent(folder: string): string {
  const found = fs.globSync("**/*.{js,mjs,cjs,ts,mts,cts,jsx,tsx,json}", {
    cwd: folder,
    exclude: (name) => basename(String(name)) === "node_modules",
  });
  const files = found.sort().slice(0, mostFiles);
  return sha256(files.map((name) => `${name} ${fileContent(join(folder, name))}`).join("\n")).slice(0, 12);
}

function readText(path: string): string {
  return readRegularFileSync(path, largestFile).toString("utf8");
}

function tryTo<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
