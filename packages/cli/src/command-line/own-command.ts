import { existsSync } from "node:fs";
import { delimiter, dirname, join, sep } from "node:path";
import type { Cli } from "./cli.ts";

/** The names of the command's file: for systems with shells, and for Windows. */
const names = ["bridle", "bridle.cmd"];

/**
 * How the user starts this command again from their folder. A bare `npx bridle` is only named if the package is installed
 * there: npx would look for other names in the registry, and run what it finds.
 *
 * @example ownCommand(cli); // "bridle", "npx bridle", or "node /path/to/bridle/bin/bridle.js"
 */
export function ownCommand({
  environment,
  cwd,
  packageRoot,
}: Pick<Cli, "environment" | "cwd" | "packageRoot">): string {
  const folders = (environment.PATH ?? environment.Path ?? "").split(delimiter).filter((folder) => !isOfNpm(folder));
  if (folders.some(hasCommand)) return "bridle";
  if (parentsOf(cwd).some((folder) => hasCommand(join(folder, "node_modules", ".bin")))) return "npx bridle";
  return `node ${quoted(join(packageRoot, "bin", "bridle.js"))}`;
}

/** A path as one word of a shell. */
export function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** npm and npx add such folders to the PATH of what they run, but the user's shell does not have them. */
function isOfNpm(folder: string): boolean {
  return folder === "" || folder.split(sep).includes("node_modules");
}

function hasCommand(folder: string): boolean {
  return names.some((name) => existsSync(join(folder, name)));
}

function parentsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...parentsOf(parent)];
}
