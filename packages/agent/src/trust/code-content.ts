/** Reads the code that a part of an agent file runs, so that the user is asked again when the code changes. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { FolderView } from "../modules/folder-view.ts";
import { readModuleGraph } from "../modules/module-graph.ts";
import { commandCode } from "./command-code.ts";

export type CodeContents = (readonly [path: string, content: string])[];

export interface Code {
  readonly files: CodeContents;
  /** The settings in package.json files that affect how modules run. The rest of their content is left out. */
  readonly types: CodeContents;
}

/** Returns the contents of the files that the strings in a value name, and of the modules that these files import by a path. */
export function codeContent(value: unknown, baseDir: string, view: FolderView = new FolderView()): Code {
  const command = commandCode(value, baseDir, view);
  const { files, types } = readModuleGraph(command.paths, { everythingFrom: baseDir, command, view });
  return { files: [...files], types: [...types] };
}

/** Returns the contents of these files, of all files in these folders, and of the programs that JSON files among them name. */
export function folderContent(paths: readonly string[], baseDir: string, view: FolderView): CodeContents {
  const files = paths.flatMap((path) => filesIn(path));
  const texts = files.filter((path) => path.endsWith(".json")).map((path) => view.textOf(path) ?? "");
  const values = texts.map((text) => [text, parsed(text)]);
  const programs = codeContent(values, baseDir, view).files.filter(([path]) => !files.includes(path));
  return [...files.map((path) => [path, view.hashOf(path)] as const), ...programs];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the paths that the strings in a value may refer to, at any depth: each string, and its parts if it is a command line or an
 * option.
 */
export function namedPaths(value: unknown, baseDir: string): string[] {
  return [...new Set(commandCode(value, baseDir, new FolderView()).paths)];
}

/** Returns the file itself, or the files of a folder. */
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
