import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { ConfigError } from "@bridle/core";
import type { Environment } from "./variables.ts";

const configFileName = "bridle.yaml";

/** Where to look: a folder by name, else BRIDLE_PROJECT_DIR, else upward from `cwd`. */
export interface Whereabouts {
  readonly cwd: string;
  readonly projectDir?: string | undefined;
  readonly environment: Environment;
}

/** The folder that a project is about, and its `bridle.yaml` where it has one. */
export interface ProjectPlace {
  readonly projectDir: string;
  readonly configFile?: string;
}

/** Finds the project. Throws ConfigError when a folder was named that does not exist. */
export function locateProject({ cwd, projectDir, environment }: Whereabouts): ProjectPlace {
  if (projectDir !== undefined) return placeIn(resolve(cwd, projectDir), "The project folder");
  const named = environment.BRIDLE_PROJECT_DIR;
  if (named)
    return placeIn(resolve(cwd, named), "The folder in BRIDLE_PROJECT_DIR", "The folder in BRIDLE_PROJECT_DIR");
  return upward(cwd) ?? { projectDir: cwd };
}

function upward(folder: string): ProjectPlace | undefined {
  const configFile = join(folder, configFileName);
  if (existsSync(configFile)) return { projectDir: folder, configFile };
  const parent = dirname(folder);
  return parent === folder ? undefined : upward(parent);
}

function placeIn(projectDir: string, what: string, shown = `${what} ${projectDir}`): ProjectPlace {
  if (!statSync(projectDir, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ConfigError(`${shown} does not exist. Create it, or correct the path.`, { field: "projectDir" });
  }
  const configFile = join(projectDir, configFileName);
  return existsSync(configFile) ? { projectDir, configFile } : { projectDir };
}

/** A path as a reader at `cwd` would write it. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === "" || short.startsWith("..") || isAbsolute(short) ? path : short;
}
