import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { ConfigError, systemErrorCode } from "@bridle/protocol";
import type { Environment } from "./variables.ts";

const configFileName = "bridle.yaml";

/**
 * The project is in `projectDir`, else in BRIDLE_PROJECT_DIR, else in `cwd` or the nearest folder above that contains a
 * `bridle.yaml`. The search ends at the root of the repository and at the user's home.
 */
export interface LocateOptions {
  readonly cwd: string;
  readonly projectDir?: string | undefined;
  readonly environment: Environment;
}

/** The folder of a project, and its `bridle.yaml` if it has one. */
export interface ProjectLocation {
  readonly projectDir: string;
  readonly configFile?: string;
}

/** Finds the project. Throws ConfigError if a named folder does not exist or cannot be read. */
export function locateProject({ cwd, projectDir, environment }: LocateOptions): ProjectLocation {
  if (projectDir !== undefined) {
    const path = resolve(cwd, projectDir);
    return locateIn(path, `The project folder ${shortened(path)}`);
  }
  const named = environment.BRIDLE_PROJECT_DIR;
  if (named) return locateIn(resolve(cwd, named), "The folder in BRIDLE_PROJECT_DIR");
  const { HOME, USERPROFILE } = environment;
  const homes = [HOME, USERPROFILE].flatMap((home) => (home ? [resolve(home)] : []));
  return upward(cwd, homes) ?? { projectDir: cwd };
}

/** Searches upward. A file above the repository or above the home is not the user's project, so the search ends there. */
function upward(folder: string, homes: readonly string[]): ProjectLocation | undefined {
  const configFile = join(folder, configFileName);
  if (existsSync(configFile)) return { projectDir: folder, configFile };
  const parent = dirname(folder);
  if (parent === folder || homes.includes(folder) || existsSync(join(folder, ".git"))) return undefined;
  return upward(parent, homes);
}

function locateIn(projectDir: string, shown: string): ProjectLocation {
  const fault = findFault(projectDir);
  if (fault !== undefined) throw new ConfigError(`${shown} ${fault}`, { field: "projectDir" });
  const configFile = join(projectDir, configFileName);
  return existsSync(configFile) ? { projectDir, configFile } : { projectDir };
}

/** Explains why a path cannot be the folder of a project, with the remedy; undefined if it can. */
function findFault(path: string): string | undefined {
  try {
    if (!statSync(path).isDirectory()) return "is not a folder. Name the folder that holds bridle.yaml.";
    accessSync(path, constants.X_OK); // otherwise a bridle.yaml in the folder would be overlooked
    return undefined;
  } catch (error) {
    return faults[systemErrorCode(error)] ?? `cannot be used (${systemErrorCode(error)}). Correct the path.`;
  }
}

const faults: Readonly<Record<string, string>> = {
  ENOENT: "does not exist. Create it, or correct the path.",
  ENOTDIR: "does not exist, because a part of its path is a file. Correct the path.",
  ENAMETOOLONG: "cannot exist, because its path is too long. Correct the path.",
  EACCES: "cannot be read by this user. Change the permissions of it and the folders above it, or name another folder.",
};

function shortened(path: string): string {
  return path.length > 300 ? `${path.slice(0, 80)}…` : path;
}

/** Formats a path for messages: relative to `cwd` if it is below `cwd`, else absolute. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === "" || short.startsWith("..") || isAbsolute(short) ? path : short;
}
