/** The content of code that a part of an agent's file runs, so that a change of the code asks again. */
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readRegularFileSync } from "@bridle/core";
import { fileContent } from "@bridle/project";
import { isPlainObject } from "@bridle/protocol";
import { readModuleGraph } from "../modules/module-graph.ts";

export type CodeContents = (readonly [path: string, content: string])[];

/** The contents of the files that the texts in a value name, and of the modules that those import by a path. */
export function codeContent(value: unknown, baseDir: string): CodeContents {
  const paths = [...namedPaths(value, baseDir), ...namedPaths(variablesOf(value, baseDir), baseDir)];
  return [...readModuleGraph(paths, { everythingFrom: baseDir }).files];
}

/** The text of a file with variables, such as NODE_OPTIONS, which can name code. */
function variablesOf(value: unknown, baseDir: string): string {
  const file = isPlainObject(value) ? value.env_file : undefined;
  return typeof file === "string" ? readText(resolve(baseDir, file)) : "";
}

/** The contents of the files in these files and folders, and of the programs that JSON files among them name. */
export function folderContent(paths: readonly string[], baseDir: string): CodeContents {
  const files = paths.flatMap((path) => filesIn(path));
  const named = files.filter((path) => path.endsWith(".json")).flatMap((path) => namedPaths(readText(path), baseDir));
  const programs = [...readModuleGraph(named, { everythingFrom: baseDir }).files].filter(
    ([path]) => !files.includes(path),
  );
  return [...files.map((path) => [path, fileContent(path)] as const), ...programs];
}

/** The paths that the texts in a value may mean, at any depth: each text, and its parts if it is a command line or an option. */
export function namedPaths(value: unknown, baseDir: string): string[] {
  return [...new Set(listsOfTexts(value).flatMap((texts) => pathsIn(texts, baseDir)))];
}

/** A program may leave out these endings. */
const endings = ["", ".js", ".mjs", ".cjs", ".ts", "/index.js", "/package.json"];
const maxPathLength = 4096;

function pathsIn(texts: readonly string[], baseDir: string): string[] {
  const parts = texts.flatMap((text) => wordsOf(text));
  const names = [...new Set([...texts, ...parts])].filter((name) => isName(name));
  const files = names.flatMap((name) => endings.map((ending) => resolve(baseDir, withoutScheme(name) + ending)));
  return [
    ...files,
    ...modulesIn(texts.flatMap((text) => text.split(separators))).flatMap((name) => pythonFiles(name, baseDir)),
  ];
}

const separators = /[\s"'`;&|()<>,]+/;

/** Words of a command line, and the values of options such as `--import=./e.mjs`. */
function wordsOf(text: string): string[] {
  return text.split(separators).flatMap((word) => [word, ...(word.includes("=") ? word.split("=") : [])]);
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

/** The modules that `-m` names for Python, such as `srv.main`. */
function modulesIn(words: readonly string[]): string[] {
  const named = words.flatMap((word, index) => {
    const [, joined] = /^-[A-Za-z]*m(.*)$/.exec(word) ?? [];
    return joined === undefined ? [] : [joined === "" ? (words[index + 1] ?? "") : joined];
  });
  return named.filter((name) => name.length <= maxPathLength && /^\w[\w.]*$/.test(name));
}

/** The file of a module, or all files of its package. */
function pythonFiles(name: string, baseDir: string): string[] {
  const [first = ""] = name.split(".");
  const inPackage = filesIn(resolve(baseDir, first)).filter((path) => path.endsWith(".py"));
  return [resolve(baseDir, `${first}.py`), ...inPackage];
}

/** The texts of each list and mapping together, because an argument can belong to the one before it. */
function listsOfTexts(value: unknown): string[][] {
  if (typeof value === "string") return [[value]];
  if (typeof value !== "object" || value === null) return [];
  const inner: unknown[] = Object.values(value);
  const own = inner.filter((each) => typeof each === "string");
  return [
    ...(own.length === 0 ? [] : [own]),
    ...inner.filter((each) => typeof each !== "string").flatMap(listsOfTexts),
  ];
}

/** The file itself, or the files of a folder. */
function filesIn(path: string): string[] {
  try {
    const entries = readdirSync(path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort();
  } catch {
    return [path];
  }
}

const maxTextLength = 20_000_000;

function readText(path: string): string {
  try {
    return readRegularFileSync(path, maxTextLength).toString("utf8");
  } catch {
    return "";
  }
}
