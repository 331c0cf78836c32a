import { join } from "node:path";
import type { RememberedAnswer } from "@bridle/core";
import { locateProject, type Whereabouts } from "../config/locate.ts";
import type { Environment } from "../config/variables.ts";
import { configFolder } from "../system-folders.ts";

type KeptScope = Exclude<RememberedAnswer["scope"], "session">;

export interface PermissionFile {
  readonly scope: KeptScope;
  readonly path: string;
}

const fileName = "permissions.yaml";

/** The files of the project that a command is about. Throws ConfigError when a folder was named that cannot be one. */
export function findPermissionFiles(whereabouts: Whereabouts): PermissionFile[] {
  const { environment } = whereabouts;
  return permissionFiles({ projectDir: locateProject(whereabouts).projectDir, environment });
}

/** Where a project's answers are kept, and the user's own; the second not where the environment names no home. */
export function permissionFiles(
  { projectDir, environment }: { projectDir: string; environment: Environment },
  platform: string = process.platform,
): PermissionFile[] {
  const own = configFolder(environment, platform);
  return [
    { scope: "project", path: join(projectDir, ".bridle", fileName) },
    ...(own === undefined ? [] : [{ scope: "always" as const, path: join(own, fileName) }]),
  ];
}
