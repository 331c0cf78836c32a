/** Finds the code that a command runs, as far as its words show it. */
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isPlainObject } from "@bridle/protocol";
import { codeFilesIn, isCode, isProgram, isPythonCode, isWithin, parentsBelow, rootOf } from "../modules/code-files.ts";
import type { FolderView } from "../modules/folder-view.ts";
import { possibleFiles } from "../modules/local-paths.ts";
import type { CommandTexts } from "../modules/module-graph.ts";
import {
  commandsIn,
  environmentFiles,
  inlineCode,
  isInterpreter,
  isRecord,
  isShell,
  listsOfTexts,
  programName,
  pythonModulesIn,
  recordsRun,
  scriptsIn,
  splitWords,
  wordsOf,
} from "./command-words.ts";

export interface CommandCode extends CommandTexts {
  /** The paths of the code. Some of them may not exist. */
  readonly paths: readonly string[];
}

const maxPathLength = 4096;

/**
 * Returns the code that the strings in a value name, at any depth: in each string, in its words if it is a shell command, and in env
 * files.
 */
export function commandCode(value: unknown, baseDir: string, view: FolderView): CommandCode {
  const given = listsOfTexts(value);
  const variables = variablesOf(value, given, baseDir, view);
  const lists = [...given, ...variables.map((text) => [text])];
  const commands = lists.flatMap((list) => commandsIn(list));
  const names = namesOf(lists);
  const runsFolder = commands.flat().some(isInterpreter);
  const run = new Set(commands.flatMap(recordsRun).flatMap(wordsOf));
  const paths = names.filter((name) => {
    if (/^\.{1,2}\/?$/.test(name)) return runsFolder;
    return !isRecord(name) || run.has(name);
  });
  const folders = foldersIn(names, baseDir, view);
  const patterns = lists.filter((list) => list.some(isShell)).flatMap((list) => commandsIn(list).flat());
  const modules = unique([...commands, ...lists.map(splitWords)].flatMap(pythonModulesIn));
  const within = (folder: string) => [
    ...paths.flatMap((name) => filesOf(resolve(folder, name), view)),
    ...modules.flatMap((name) => pythonFiles(name, folder, view)),
    ...patterns.flatMap((pattern) => matchingFiles(pattern, folder, view)),
  ];
  const scripts = commands.flatMap(scriptsIn).filter(([word]) => isName(word));
  return {
    paths: [...folders.flatMap(within), ...configurationCode(commands, folders, baseDir, view)],
    texts: lists.flat(),
    inline: commands.flatMap(inlineCode),
    scripts: new Map(
      folders.flatMap((folder) =>
        scripts.map(([word, language]) => [resolve(folder, withoutScheme(word)), language] as const),
      ),
    ),
  };
}

/** Returns the contents of env files, whose variables, such as NODE_OPTIONS, can name code. */
function variablesOf(value: unknown, lists: readonly string[][], baseDir: string, view: FolderView): string[] {
  const ofOptions = lists.flatMap((list) => commandsIn(list).flatMap(environmentFiles));
  const ofEntry = isPlainObject(value) && typeof value.env_file === "string" ? [value.env_file] : [];
  const files = [...ofOptions, ...ofEntry].filter(isName);
  if (files.length === 0) return [];
  const paths = foldersIn(namesOf(lists), baseDir, view).flatMap((folder) =>
    files.map((name) => resolve(folder, name)),
  );
  return unique(paths).flatMap((path) => (view.isFile(path) ? (view.textOf(path) ?? []) : []));
}

function namesOf(lists: readonly string[][]): string[] {
  return unique(lists.flat().flatMap(wordsOf)).filter(isName).map(withoutScheme);
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

function isName(name: string): boolean {
  return name !== "" && name.length <= maxPathLength && !name.includes("\0");
}

function withoutScheme(name: string): string {
  const plain = name.replace(/^\$\{?CLAUDE_PROJECT_DIR\}?\//, "");
  if (!plain.startsWith("file:")) return plain;
  try {
    return fileURLToPath(plain);
  } catch {
    return plain.slice("file:".length);
  }
}

/** Returns the files that run for a path. Python runs the `__main__.py` of a folder. */
function filesOf(path: string, view: FolderView): string[] {
  return [...possibleFiles(path, view), ...(view.isFolder(path) ? [join(path, "__main__.py")] : [])];
}

const maxFolders = 200;

/** Returns the folder itself, and folders that the names may refer to: a command can change its folder, even several times. */
function foldersIn(names: readonly string[], baseDir: string, view: FolderView): string[] {
  const found = [resolve(baseDir)];
  for (let index = 0; index < found.length && found.length < maxFolders; index += 1) {
    const folder = found[index] ?? baseDir;
    for (const name of names) {
      const inner = resolve(folder, name);
      if (found.length < maxFolders && !found.includes(inner) && view.isFolder(inner)) found.push(inner);
    }
  }
  return found;
}

/** Returns the file of a module, or all files of its package. */
function pythonFiles(name: string, folder: string, view: FolderView): string[] {
  const [first = ""] = name.split(".");
  const files = [".py", ".pyc"].map((ending) => resolve(folder, first + ending));
  return [...files, ...codeFilesIn(resolve(folder, first), isPythonCode, view)];
}

/** Returns the programs that a shell pattern may match: those with the same beginning. */
function matchingFiles(pattern: string, folder: string, view: FolderView): string[] {
  const start = pattern.search(/[*?[{]/);
  if (start < 0 || !isName(pattern)) return [];
  const first = resolve(folder, `${pattern.slice(0, start)}*`);
  const prefix = basename(first).slice(0, -1);
  return view.entriesOf(dirname(first)).flatMap(({ name }) => {
    if (!name.startsWith(prefix)) return [];
    return codeFilesIn(join(dirname(first), name), isProgram, view);
  });
}

/** Files that package managers and interpreters read automatically. They can load code, or choose where packages come from. */
const configurations: readonly (readonly [program: RegExp, files: readonly string[]])[] = [
  [/^(?:npx|npm|pnpm|pnpx|yarn|yarnpkg|bunx?|deno)$/, [".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs"]],
  [/^bunx?$/, ["bunfig.toml", "tsconfig.json"]],
  [/^deno$/, ["deno.json", "deno.jsonc"]],
  [/^(?:tsx|ts-node)$/, ["tsconfig.json"]],
  [/^(?:uvx?|pipx?|poetry|pdm|hatch|rye)$/, ["pyproject.toml", "uv.toml", "poetry.toml"]],
];

/**
 * Returns the configuration files of the programs in a command, and the code that these files name. Searches the folders and those above,
 * within the project. Files outside of the project are the user's own.
 */
function configurationCode(
  commands: readonly (readonly string[])[],
  folders: readonly string[],
  baseDir: string,
  view: FolderView,
): string[] {
  const programs = unique(commands.flat().map(programName));
  const names = configurations.flatMap(([program, files]) =>
    programs.some((name) => program.test(name)) ? files : [],
  );
  if (names.length === 0) return [];
  const root = rootOf(join(baseDir, "_"), view);
  const own = folders.filter((folder) => isWithin(folder, root));
  const above = unique(own.flatMap((folder) => parentsBelow(folder, root)));
  const found = above
    .flatMap((folder) => unique(names).map((name) => join(folder, name)))
    .filter((path) => view.isFile(path));
  return found.flatMap((path) => [path, ...namedIn(path, view)]);
}

function namedIn(path: string, view: FolderView): string[] {
  const folder = dirname(path);
  const text = view.textOf(path) ?? "";
  if (isCode(path)) return [];
  const words = wordsOf(text).filter(isName);
  const modules = [...text.matchAll(/["']([\w.]+):[\w.]+/g)].map(([, name = ""]) => name); // programs that a Python project defines
  return [
    ...words.flatMap((name) => possibleFiles(resolve(folder, name), view)).filter((each) => isProgram(each)),
    ...modules.flatMap((name) => [folder, join(folder, "src")].flatMap((each) => pythonFiles(name, each, view))),
  ].filter((each) => view.isFile(each));
}
