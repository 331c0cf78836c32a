/** Finds the modules and packages that the user's code can reach by its imports. */
import fs from "node:fs";
import nodeModule, { isBuiltin } from "node:module";
import { basename, dirname, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { sha256 } from "@bridle/core";
import {
  codeFilesIn,
  findCode,
  isCode,
  isProgram,
  isPythonCode,
  isWithin,
  type Language,
  languageOf,
  parentsBelow,
  rootOf,
} from "./code-files.ts";
import { FolderView } from "./folder-view.ts";
import { localPaths, mentionedFiles } from "./local-paths.ts";
import { isOwnFile, mappedPaths, nearestManifest, readManifest } from "./manifest.ts";
import { mapName } from "./name-maps.ts";
import { NamedPrograms } from "./named-programs.ts";
import { pythonImportsOf, pythonMentions, pythonTexts } from "./python-imports.ts";
import { type Imports, readImports } from "./read-imports.ts";
import { tryTo } from "./try-to.ts";

const maxFiles = 500;
/** A longer module is not parsed: Bridle assumes that it can load every file. */
const maxParsedLength = 4_000_000;

export interface ModuleGraph {
  /** Hashes of the entry files and of every module that they import by a path, by absolute path. */
  readonly files: ReadonlyMap<string, string>;
  /** Versions of the imported packages, by name. For a linked package of the same repository, a hash of its content is added. */
  readonly packages: ReadonlyMap<string, string>;
  /** The module types that package.json files set, by the absolute path of the package.json. */
  readonly types: ReadonlyMap<string, string>;
}

export interface ModuleGraphOptions {
  /**
   * Include every file that the code could load: files that its strings name, and all code of the folder if it computes a name. Names are
   * also resolved against this folder.
   */
  readonly everythingFrom?: string | undefined;
  /** Code and strings of a command, in addition to the files that the command names. */
  readonly command?: CommandTexts | undefined;
  readonly view?: FolderView | undefined;
}

export interface CommandTexts {
  /** Code in the command itself. */
  readonly inline: readonly (readonly [language: Language, text: string])[];
  /** Files whose names do not show their language. */
  readonly scripts: ReadonlyMap<string, Language>;
  readonly texts: readonly string[];
}

/** Reads the imports of these files, directly and through other local modules. Unreadable files are left out. */
export function readModuleGraph(entries: readonly string[], options: ModuleGraphOptions = {}): ModuleGraph {
  return new GraphReader(options).read(entries);
}

class GraphReader {
  readonly #everythingFrom: string | undefined;
  readonly #command: CommandTexts | undefined;
  readonly #view: FolderView;
  readonly #files = new Map<string, string>();
  readonly #packages = new Map<string, string>();
  readonly #types = new Map<string, string>();
  readonly #waiting: string[] = [];
  readonly #seen = new Set<string>();
  readonly #counted = new Set<string>();
  readonly #pythonFolders = new Set<string>();
  readonly #programs: NamedPrograms;

  constructor({ everythingFrom, command, view = new FolderView() }: ModuleGraphOptions) {
    this.#everythingFrom = everythingFrom;
    this.#command = command;
    this.#view = view;
    this.#programs = new NamedPrograms(view);
  }

  read(entries: readonly string[]): ModuleGraph {
    this.#wait(entries);
    this.#programs.addTexts(this.#command?.texts ?? []);
    for (const [language, text] of this.#command?.inline ?? []) {
      this.#followText(join(this.#everythingFrom ?? ".", `(${language})`), text, { language, isSure: true });
    }
    let followed = 0;
    for (let path = this.#waiting.pop(); path !== undefined; path = this.#waiting.pop()) {
      if (!this.#view.isFile(path)) continue;
      if (followed >= this.#max) break;
      followed += 1;
      this.#count(path);
      this.#follow(path);
    }
    for (const path of this.#programs.find([...this.#files.keys()])) this.#count(path);
    return { files: sorted(this.#files), packages: sorted(this.#packages), types: sorted(this.#types) };
  }

  #wait(paths: readonly string[]): void {
    for (const path of paths) {
      if (this.#seen.has(path)) continue;
      this.#seen.add(path);
      this.#waiting.push(path);
    }
  }

  #count(path: string): void {
    if (this.#files.has(path)) return;
    this.#files.set(path, this.#view.hashOf(path));
    if (this.#everythingFrom === undefined || !/^\.[jt]sx?$/.test(extname(path))) return;
    const manifest = nearestManifest(dirname(path), this.#view);
    const type = manifest && readManifest(manifest, this.#view).type;
    if (manifest !== undefined && typeof type === "string") this.#types.set(manifest, type);
  }

  /** The maximum number of files. For trust there is none, because trust has to know all files; a test result only names the files. */
  get #max(): number {
    return this.#everythingFrom === undefined ? maxFiles : Number.POSITIVE_INFINITY;
  }

  #follow(path: string): void {
    const named = this.#command?.scripts.get(path);
    const found = languageOf(path, this.#view);
    const code = found?.isSure || named === undefined ? found : { language: named, isSure: false };
    if (code === undefined || (this.#everythingFrom === undefined && !code.isSure)) return;
    this.#followText(path, readCode(path, this.#view), code);
  }

  #followText(
    path: string,
    text: string | undefined,
    code: { readonly language: Language; readonly isSure: boolean },
  ): void {
    if (code.language === "python") this.#followPython(path, text);
    else this.#followJavaScript(path, text, code.isSure);
  }

  #followJavaScript(path: string, text: string | undefined, isSure: boolean): void {
    const imports = text === undefined ? undefined : this.#importsOf(path, text);
    if (imports === undefined) {
      if (isSure) this.#countRoot(path); // its imports are unknown
      return;
    }
    for (const name of imports.names) this.#load(name, path);
    if (this.#everythingFrom === undefined) return;
    this.#programs.addTexts(imports.texts);
    for (const folder of new Set([...this.#foldersOf(path), this.#everythingFrom])) {
      for (const name of imports.texts) this.#wait(mentionedFiles(name, folder, this.#view));
    }
    if (imports.isOpen) this.#countRoot(path);
  }

  /** Reads the imports of a file. The ending decides how the file is parsed. Without an ending, the file may contain types. */
  #importsOf(path: string, text: string): Imports | undefined {
    const ending = extname(path);
    const read = () =>
      isModule(ending) ? readImports(text, ending) : (readImports(text, ".js") ?? readImports(text, ".ts"));
    return this.#view.isFile(path) ? this.#view.remember("imports", path, read) : read();
  }

  #load(name: string, path: string): void {
    const view = this.#view;
    const folders = this.#foldersOf(path);
    const local = folders.flatMap((folder) => localPaths(name, folder, view));
    const inPackage = mappedPaths(name, path, view, (each, folder) => localPaths(each, folder, view));
    const mapped = inPackage.filter((each) => this.#everythingFrom !== undefined || basename(each) !== "package.json");
    const own = this.#everythingFrom === undefined ? [] : [this.#everythingFrom];
    const { paths, hasMap } = mapName(name, [...folders, ...own], view);
    this.#wait([...local, ...mapped, ...paths]);
    if (local.length > 0 || mapped.length > 0 || isBuiltin(name) || this.#addPackage(name, path)) return;
    const isUnknown = hasMap && !/^(?:[a-z]+:|[#./])/i.test(name) && !paths.some((each) => view.isFile(each));
    if (isUnknown && this.#everythingFrom !== undefined) this.#countRoot(path);
  }

  #followPython(path: string, text: string | undefined): void {
    if (this.#everythingFrom === undefined) {
      this.#wait(pythonImportsOf(text ?? "").map((name) => resolve(dirname(path), name)));
      return;
    }
    const own = [...this.#foldersOf(path), this.#everythingFrom];
    for (const folder of new Set(own)) this.#waitForPython(folder); // the name of a standard Python module can refer to a file here
    if (text === undefined) {
      this.#countRoot(path);
      return;
    }
    const { names, isOpen } = pythonMentions(text);
    this.#programs.addTexts(pythonTexts(text));
    for (const folder of parentsBelow(dirname(path), rootOf(path, this.#view))) {
      for (const { name } of this.#view.entriesOf(folder)) {
        const [first = ""] = name.split(".", 1);
        if (names.has(first)) this.#waitForPython(join(folder, name));
      }
    }
    if (isOpen) this.#countRoot(path);
  }

  /** Adds the Python code of a file or a folder. Folders within a folder are added with it. */
  #waitForPython(path: string): void {
    if (this.#pythonFolders.has(path)) return;
    const { files, folders, isWhole } = findCode(path, isPythonCode, this.#view);
    for (const folder of isWhole ? folders : [path]) this.#pythonFolders.add(folder);
    this.#wait(files);
  }

  /** Adds all code of the project. A clone of the project cannot change a program outside of the project. */
  #countRoot(path: string): void {
    const own = this.#everythingFrom ?? dirname(path);
    const root = rootOf(path, this.#view);
    if (isWithin(root, rootOf(join(own, "agent.yaml"), this.#view))) this.#countCode(root);
    this.#countCode(own);
  }

  #countCode(folder: string): void {
    if (this.#counted.has(folder)) return;
    this.#counted.add(folder);
    for (const file of codeFilesIn(folder, isProgram, this.#view)) {
      if (isCode(file))
        this.#count(file); // all code is added, so imports need not be read
      else this.#programs.add(file);
    }
  }

  /** Adds a package. Returns whether it is installed. */
  #addPackage(name: string, from: string): boolean {
    if (/^(?:[a-z]+:|[#./])/.test(name)) return false;
    const found = tryTo(() => nodeModule.findPackageJSON(name, pathToFileURL(from)));
    if (found === undefined) return false;
    const manifest = this.#view.realPathOf(found);
    const { name: own = basename(dirname(manifest)), version = "" } = readManifest(manifest, this.#view);
    const isLinked = isOwnFile(manifest) && own !== "bridle" && !own.startsWith("@bridle/");
    this.#packages.set(own, isLinked ? `${version} ${folderContent(dirname(manifest), this.#view)}` : version);
    if (isLinked && this.#everythingFrom !== undefined) {
      this.#wait([manifest, ...codeFilesIn(dirname(manifest), isCode, this.#view)]);
    }
    return true;
  }

  /** Returns the folders that relative names are resolved against: the folder of the file, and that of the file that a link leads to. */
  #foldersOf(path: string): string[] {
    return [...new Set([dirname(path), dirname(this.#view.realPathOf(path))])];
  }
}

function sorted(map: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...map].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function isModule(ending: string): boolean {
  return /^\.[cm]?[jt]sx?$/.test(ending);
}

function readCode(path: string, view: FolderView): string | undefined {
  const text = view.textOf(path);
  return text === undefined || text.length > maxParsedLength ? undefined : text;
}

/** Hashes the content of a linked package, because its content can change without its version. */
function folderContent(folder: string, view: FolderView): string {
  return view.remember("package", folder, () => {
    const found = fs.globSync("**/*.{js,mjs,cjs,ts,mts,cts,jsx,tsx,json}", {
      cwd: folder,
      exclude: (name) => basename(String(name)) === "node_modules",
    });
    const files = found.sort().slice(0, maxFiles);
    return sha256(files.map((name) => `${name} ${view.hashOf(join(folder, name))}`).join("\n")).slice(0, 12);
  });
}
