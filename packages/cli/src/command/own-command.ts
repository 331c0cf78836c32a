import { existsSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, extname, join, sep } from "node:path";
import type { Cli } from "./cli.ts";

/** The names of the command file: for systems with shells, and for Windows. */
const names = ["bridle", "bridle.cmd"];

/**
 * Returns how the user starts this command again from their folder. The result is `npx bridle` only if the package is installed there,
 * because npx would otherwise run the package of that name in the registry.
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

/** Quotes a path as one word for a shell. */
export function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Whether npm or npx adds such a folder to the PATH of the programs that they run. The user's shell does not have it. */
function isOfNpm(folder: string): boolean {
  return folder === "" || folder.split(sep).includes("node_modules");
}

/** Whether the first of these folders that contains the command starts this installation, and not another one. */
function startsThis(folders: readonly string[], program: string): boolean {
  const files = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const first = files.find((file) => existsSync(file));
  return first !== undefined && (isScript(first) || leadsTo(first, program));
}

/** Whether a file may start this program. Some package managers, and Windows, install a script instead of a link; scripts are accepted. */
function isScript(file: string): boolean {
  return extname(realpathSync(file)) !== ".js";
}

/** Whether a file is a link to the program. */
function leadsTo(file: string, program: string): boolean {
  if (basename(file) === basename(program)) return false;
  return existsSync(file) && existsSync(program) && realpathSync(file) === realpathSync(program);
}

/** Whether a file stays where it is. npx may delete the folders of fetched packages at any time. */
function isLasting(file: string): boolean {
  return !file.split(sep).includes("_npx");
}

function parentsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...parentsOf(parent)];
}
