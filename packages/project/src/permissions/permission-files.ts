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

/** Finds the permission files of a project. Throws ConfigError if a named folder does not exist or cannot be read. */
export function findPermissionFiles({
  namespace,
  ...whereabouts
}: LocateOptions & { namespace?: string }): PermissionFile[] {
  const { projectDir } = locateProject(whereabouts);
  const { environment } = whereabouts;
  return permissionFiles({ projectDir, environment, ...(namespace !== undefined && { namespace }) });
}

/**
 * The files with the remembered answers of a project and of the user. The user's file is missing if the environment has
 * no home. In a namespace, both files are in the namespace's folder.
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
