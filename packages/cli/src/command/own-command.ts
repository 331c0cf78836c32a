import { existsSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, extname, join, sep } from "node:path";
import type { Cli } from "./cli.ts";

/** The names of the command's file: for systems with shells, and for Windows. */
const names = ["bridle", "bridle.cmd"];

/**
 * How the user starts this command again from their folder. The result is a bare `npx bridle` only if the package is installed there:
 * otherwise npx would look for the name in the registry and run the package that it finds.
 *
 * @example ownCommand(cli); // "bridle", "npx bridle", "/path/to/node_modules/.bin/bridle", or "node /path/to/bridle/bin/bridle.js"
 */
export function ownCommand({
  environment,
  cwd,
  packageRoot,
  startedAs,
}: Pick<Cli, "environment" | "cwd" | "packageRoot" | "startedAs">): string {
  const program = join(packageRoot, "bin", "bridle.js");
  const folders = (environment.PATH ?? environment.Path ?? "").split(delimiter).filter((folder) => !isOfNpm(folder));
  if (startsThis(folders, program)) return "bridle";
  const installed = parentsOf(cwd).map((folder) => join(folder, "node_modules", ".bin"));
  if (startsThis(installed, program)) return "npx bridle";
  if (startedAs !== undefined && isLasting(startedAs) && leadsTo(startedAs, program)) return quoted(startedAs);
  return `node ${quoted(program)}`;
}

/** A path as one word of a shell. */
export function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** npm and npx add such folders to the PATH of the programs that they run, but the user's shell does not have them. */
function isOfNpm(folder: string): boolean {
  return folder === "" || folder.split(sep).includes("node_modules");
}

/** Whether the first of the folders that has the command starts this installation, and not another one. */
function startsThis(folders: readonly string[], program: string): boolean {
  const files = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const first = files.find((file) => existsSync(file));
  return first !== undefined && (isScript(first) || leadsTo(first, program));
}

/** Some package managers, and Windows, install a script instead of a link. It counts, because its target is unknown. */
function isScript(file: string): boolean {
  return extname(realpathSync(file)) !== ".js";
}

/** Whether a file is a link to the program. */
function leadsTo(file: string, program: string): boolean {
  if (basename(file) === basename(program)) return false;
  return existsSync(file) && existsSync(program) && realpathSync(file) === realpathSync(program);
}

/** npx may delete the folders of fetched packages at any time. */
function isLasting(file: string): boolean {
  return !file.split(sep).includes("_npx");
}

function parentsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...parentsOf(parent)];
}
