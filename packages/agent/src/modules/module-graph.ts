/** The modules and packages that code of the user can reach by its imports. */
import fs, { realpathSync, statSync } from "node:fs";
import nodeModule, { createRequire, isBuiltin } from "node:module";
import { basename, dirname, extname, join, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readRegularFileSync, sha256 } from "@bridle/core";
import { fileContent } from "@bridle/project";
import { codeFilesIn, isCode, isProgram, isPythonCode, rootOf } from "./code-files.ts";
import { pythonImportsOf, pythonMentions } from "./python-imports.ts";
import { readImports } from "./read-imports.ts";

const maxFiles = 500;
const maxFileBytes = 20_000_000;
/** A longer module is not parsed: it counts as one that can load everything. */
const maxParsedLength = 4_000_000;
const maxNameLength = 4096;

export interface ModuleGraph {
  /** Hashes of files, by their absolute paths: the entries, and every module that they import by a path. */
  readonly files: ReadonlyMap<string, string>;
  /** Versions of the imported packages, by name. The content of a package that is linked from elsewhere counts, too. */
  readonly packages: ReadonlyMap<string, string>;
}

export interface ModuleGraphOptions {
  /**
   * Count every file that the code could load, too: files that its texts name, and all code of the folder if a name is computed.
   * Names are also relative to this folder.
   */
  readonly everythingFrom?: string | undefined;
}

/** Reads the imports of these files, directly and through other local modules. Unreadable files are left out. */
export function readModuleGraph(entries: readonly string[], options: ModuleGraphOptions = {}): ModuleGraph {
  return new GraphReader(options).read(entries);
}

class GraphReader {
  readonly #everythingFrom: string | undefined;
  readonly #files = new Map<string, string>();
  readonly #packages = new Map<string, string>();
  readonly #waiting: string[] = [];
  readonly #followed = new Set<string>();
  readonly #counted = new Set<string>();

  constructor({ everythingFrom }: ModuleGraphOptions) {
    this.#everythingFrom = everythingFrom;
  }

  read(entries: readonly string[]): ModuleGraph {
    this.#waiting.push(...entries);
    for (let path = this.#waiting.pop(); path !== undefined; path = this.#waiting.pop()) {
      if (this.#followed.has(path) || !isFile(path)) continue;
      if (this.#followed.size >= this.#max) break;
      this.#followed.add(path);
      this.#count(path);
      this.#follow(path);
    }
    return { files: sorted(this.#files), packages: sorted(this.#packages) };
  }

  #count(path: string): void {
    if (!this.#files.has(path)) this.#files.set(path, fileContent(path));
  }

  /** Trust has to know all files. A result of a test only names them. */
  get #max(): number {
    return this.#everythingFrom === undefined ? maxFiles : Number.POSITIVE_INFINITY;
  }

  #follow(path: string): void {
    const ending = extname(path);
    if (ending === ".py") {
      this.#followPython(path);
      return;
    }
    const isModule = /^\.[cm]?[jt]sx?$/.test(ending);
    if (!isModule && (isData.test(ending) || this.#everythingFrom === undefined)) return;
    const text = readCode(path);
    const imports = text === undefined ? undefined : readImports(text, isModule ? ending : ".js");
    if (imports === undefined) {
      if (isModule) this.#countRoot(path, isProgram); // its imports are unknown
      return;
    }
    for (const name of imports.names) this.#load(name, path);
    if (this.#everythingFrom === undefined) return;
    for (const folder of new Set([...foldersOf(path), this.#everythingFrom])) {
      for (const name of imports.texts) this.#waiting.push(...mentionedFiles(name, folder));
    }
    if (imports.isOpen) this.#countRoot(path, isProgram);
  }

  #load(name: string, path: string): void {
    const local = foldersOf(path).flatMap((folder) => localPaths(name, folder));
    const mapped = mappedPaths(name, path).filter((each) => this.#everythingFrom !== undefined || !isManifest(each));
    this.#waiting.push(...local, ...mapped);
    if (local.length === 0 && mapped.length === 0) this.#addPackage(name, path);
  }

  #followPython(path: string): void {
    const text = readCode(path) ?? "";
    if (this.#everythingFrom === undefined) {
      this.#waiting.push(...pythonImportsOf(text).map((name) => resolve(dirname(path), name)));
      return;
    }
    const own = [...foldersOf(path), this.#everythingFrom];
    for (const folder of new Set(own)) this.#waiting.push(...codeFilesIn(folder, isPythonCode)); // a name of Python's own can mean a file here
    const { names, isOpen } = pythonMentions(text);
    for (const folder of parentsBelow(dirname(path), rootOf(path))) {
      for (const name of namesIn(folder)) {
        const [first = ""] = name.split(".");
        if (names.has(first)) this.#waiting.push(...codeFilesIn(join(folder, name), isPythonCode));
      }
    }
    if (isOpen) this.#countRoot(path, isProgram);
  }

  /** Counts all code of the project. A clone of the project cannot change a program outside of it. */
  #countRoot(path: string, counts: (path: string) => boolean): void {
    const own = this.#everythingFrom ?? dirname(path);
    const root = rootOf(path);
    if (isWithin(root, rootOf(join(own, "agent.yaml")))) this.#countCode(root, counts);
    this.#countCode(own, counts);
  }

  #countCode(folder: string, counts: (path: string) => boolean): void {
    const key = `${counts.name} ${folder}`;
    if (this.#counted.has(key)) return;
    this.#counted.add(key);
    for (const file of codeFilesIn(folder, counts)) this.#count(file); // all of them count, so their imports add nothing
  }

  #addPackage(name: string, from: string): void {
    if (isBuiltin(name) || /^[a-z]+:|^[#./]/.test(name)) return;
    const found = tryTo(() => nodeModule.findPackageJSON(name, pathToFileURL(from)));
    if (found === undefined) return;
    const manifest = tryTo(() => realpathSync(found)) ?? found;
    const { name: own = basename(dirname(manifest)), version = "" } = readManifest(manifest);
    const isLinked = isOwnFile(manifest) && own !== "bridle" && !own.startsWith("@bridle/");
    this.#packages.set(own, isLinked ? `${version} ${folderContent(dirname(manifest))}` : version);
    if (isLinked && this.#everythingFrom !== undefined) {
      this.#waiting.push(manifest, ...codeFilesIn(dirname(manifest), isCode));
    }
  }
}

function sorted(map: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...map].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function isFile(path: string): boolean {
  return tryTo(() => statSync(path).isFile()) ?? false;
}

/** Files that Node.js loads without running them, documents, and programs in other languages. */
const isData =
  /^\.(?:json|jsonc|node|wasm|md|txt|ya?ml|toml|csv|tsv|db|sqlite|html|css|svg|png|jpe?g|gif|pdf|sh|bash|rb|pl|php|go|rs|java|jar|lock|log|pem|key|pyc|pyd|so|zip|gz)$/i;

function readCode(path: string): string | undefined {
  const text = tryTo(() => readText(path));
  return text === undefined || text.length > maxParsedLength ? undefined : text;
}

/** Relative names start in the folder of the file, or of the file that a link leads to. */
function foldersOf(path: string): string[] {
  return [...new Set([dirname(path), dirname(tryTo(() => realpathSync(path)) ?? path)])];
}

function parentsBelow(folder: string, root: string): string[] {
  const parent = dirname(folder);
  return folder === root || parent === folder ? [folder] : [folder, ...parentsBelow(parent, root)];
}

function namesIn(folder: string): string[] {
  return tryTo(() => fs.readdirSync(folder)) ?? [];
}

const endings = ["", ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".jsx", ".tsx", ".json", ".node"];

/** The files that a name can mean; empty for the name of a package. */
function localPaths(name: string, folder: string): string[] {
  if (name.length > maxNameLength || name.includes("\0")) return [];
  if (/^file:/i.test(name)) return tryTo(() => [fileURLToPath(name)]) ?? [];
  if (!/^\.{0,2}\//.test(name) && name !== "." && name !== "..") return [];
  const decoded = tryTo(() => fileURLToPath(new URL(name, pathToFileURL(join(folder, "module"))))); // as import reads it
  const plain = [name, name.replace(/[?#].*$/s, "")].map((each) => resolve(folder, each)); // as require reads it
  return [...new Set([...plain, ...(decoded === undefined ? [] : [decoded])])].flatMap((path) => withEndings(path));
}

/** The file, with an ending that a loader may add, or the files that a folder stands for. */
function withEndings(path: string): string[] {
  const { main } = readManifest(join(path, "package.json"));
  const inFolder = [join(path, "package.json"), ...endings.map((ending) => join(path, `index${ending}`))];
  return [
    ...endings.map((ending) => path + ending),
    ...(tryTo(() => statSync(path).isDirectory()) ? inFolder : []),
    ...(typeof main !== "string"
      ? []
      : endings.flatMap((ending) => [join(path, main) + ending, join(path, main, `index${ending}`)])),
  ];
}

/** The programs that a text can name: with its ending, or without it if the text is a path or an address. */
function mentionedFiles(text: string, folder: string): string[] {
  if (text === "" || text.length > maxNameLength || text.includes("\n")) return [];
  const isPath = /^(?:\.{0,2}\/|file:)/i.test(text);
  const plain = text.replace(/[?#].*$/s, "");
  if (!isPath && !(isProgram(plain) && extname(plain) !== "")) return [];
  return localPaths(isPath ? text : `./${text}`, folder).filter((path) => isProgram(path) && isFile(path));
}

/** The files of the package that contains a module, for `#name` and for the package's own name. */
function mappedPaths(name: string, from: string): string[] {
  const manifest = foldersOf(from).flatMap((folder) => nearestManifest(folder) ?? [])[0];
  if (manifest === undefined) return [];
  const { name: own, imports, exports, main } = readManifest(manifest);
  const isOwn = own !== undefined && (name === own || name.startsWith(`${own}/`));
  if (!name.startsWith("#") && !isOwn) return [];
  const folder = dirname(manifest);
  const resolved = tryTo(() => [createRequire(from).resolve(name)].filter(isOwnFile)) ?? [];
  const targets = textsIn(name.startsWith("#") ? imports : [exports, main]);
  const files = targets.flatMap((target) => {
    if (target.includes("*"))
      return codeFilesIn(resolve(folder, target.slice(0, target.indexOf("*")).replace(/[^/]*$/, "")), isCode);
    return localPaths(target.startsWith(".") ? target : `./${target}`, folder);
  });
  return [...resolved, ...files, manifest].filter(isFile);
}

function isWithin(folder: string, outer: string): boolean {
  return folder === outer || folder.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

function isManifest(path: string): boolean {
  return basename(path) === "package.json";
}

function nearestManifest(folder: string): string | undefined {
  const path = join(folder, "package.json");
  if (isFile(path)) return path;
  return dirname(folder) === folder ? undefined : nearestManifest(dirname(folder));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function isOwnFile(path: string): boolean {
  return !path.includes(`${sep}node_modules${sep}`);
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly main?: unknown;
  readonly imports?: unknown;
  readonly exports?: unknown;
}

function readManifest(path: string): Manifest {
  return tryTo(() => JSON.parse(readText(path))) ?? {};
}

/** A package of the same repository changes without its version. */
function folderContent(folder: string): string {
  const found = fs.globSync("**/*.{js,mjs,cjs,ts,mts,cts,jsx,tsx,json}", {
    cwd: folder,
    exclude: (name) => basename(String(name)) === "node_modules",
  });
  const files = found.sort().slice(0, maxFiles);
  return sha256(files.map((name) => `${name} ${fileContent(join(folder, name))}`).join("\n")).slice(0, 12);
}

function readText(path: string): string {
  return readRegularFileSync(path, maxFileBytes).toString("utf8");
}

function tryTo<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
