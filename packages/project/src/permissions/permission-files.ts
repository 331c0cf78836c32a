import { join } from "node:path";
import type { RememberedAnswer } from "@bridle/protocol";
import { type LocateOptions, locateProject } from "../config/locate.ts";
import { bridleFolder, namespaceFolders } from "../namespace/folders.ts";
import { configFolder } from "../runtime/system-folders.ts";
import type { Settings } from "../settings/settings.ts";

type KeptScope = Exclude<RememberedAnswer["scope"], "session">;

export interface PermissionFile {
  readonly scope: KeptScope;
  readonly path: string;
}

const fileName = "permissions.yaml";

/** The files of the project that a command is about. Throws ConfigError when a folder was named that cannot be one. */
export function findPermissionFiles({
  namespace,
  ...whereabouts
}: LocateOptions & { namespace?: string }): PermissionFile[] {
  const { projectDir } = locateProject(whereabouts);
  const { environment } = whereabouts;
  return permissionFiles({ projectDir, environment, ...(namespace !== undefined && { namespace }) });
}

/**
 * Where a project's answers are kept, and the user's own; the second not where the environment names no home. Those of a
 * namespace are all in its own folder.
 */
export function permissionFiles(
  settings: Pick<Settings, "projectDir" | "environment" | "namespace">,
  platform: string = process.platform,
): PermissionFile[] {
  const folder = bridleFolder(settings);
  const own = configFolder(settings.environment, platform);
  const always = settings.namespace === undefined ? own && join(own, fileName) : namespaceFolders(folder).always;
  return [
    { scope: "project", path: join(folder, fileName) },
    ...(always === undefined ? [] : [{ scope: "always" as const, path: always }]),
  ];
}
