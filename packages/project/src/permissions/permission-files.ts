import { existsSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { sha256 } from "@bridle/core";
import type { RememberedAnswer } from "@bridle/protocol";
import { type LocateOptions, locateProject } from "../config/locate.ts";
import { encodeNamespace } from "../namespace/encode-namespace.ts";
import { bridleFolder, type TenantScope } from "../namespace/folders.ts";
import { configFolder } from "../namespace/system-folders.ts";
import type { Settings } from "../settings/settings.ts";

export interface PermissionFile {
  readonly scope: Exclude<RememberedAnswer["scope"], "session">;
  readonly path: string;
}

const fileName = "permissions.yaml";

/** Finds the permission files of a project. Throws ConfigError if a named folder does not exist or cannot be read. */
export function findPermissionFiles({
  namespace,
  ...whereabouts
}: LocateOptions & { namespace?: string }): PermissionFile[] {
  return permissionFiles(locateTenant({ namespace, ...whereabouts }));
}

type TenantLocation = LocateOptions & { namespace?: string | undefined };

function locateTenant({ namespace, ...whereabouts }: TenantLocation): PermissionScope {
  const { projectDir } = locateProject(whereabouts);
  return { projectDir, environment: whereabouts.environment, ...(namespace !== undefined && { namespace }) };
}

type PermissionScope = Pick<Settings, "projectDir" | "environment" | "namespace" | "processEnvironment">;

/**
 * Lists the files with the remembered answers: for this project, and for all projects. Both are in the user's own folder, so that no file
 * of a project can answer for the user. Empty if the environment has no home. A namespace has its own files.
 */
export function permissionFiles(
  { projectDir, namespace, environment, processEnvironment = environment }: PermissionScope,
  platform: string = process.platform,
): PermissionFile[] {
  const own = configFolder(processEnvironment, platform);
  if (own === undefined) return [];
  const ofProject = join(own, "projects", projectKey(projectDir));
  if (namespace === undefined) {
    return [
      { scope: "project", path: join(ofProject, fileName) },
      { scope: "always", path: join(own, fileName) },
    ];
  }
  const ofNamespace = join(ofProject, "ns", encodeNamespace(namespace));
  return [
    { scope: "project", path: join(ofNamespace, fileName) },
    { scope: "always", path: join(ofNamespace, "always.yaml") },
  ];
}

/** Returns the user's own folder, which no project can change; undefined if the environment has no home. */
export function userFolder({
  projectDir,
  namespace,
  environment,
  processEnvironment = environment,
}: PermissionScope): string | undefined {
  const own = configFolder(processEnvironment); // the home of a namespace is in the project
  if (own === undefined || namespace === undefined) return own;
  return join(own, "projects", projectKey(projectDir), "ns", encodeNamespace(namespace));
}

/** Returns a readable name for a project's folder, with the hash of its real path. */
function projectKey(projectDir: string): string {
  const path = realPath(projectDir);
  const name = basename(path)
    .replaceAll(/[^A-Za-z0-9-]/g, "_")
    .slice(0, 40);
  return `${name}-${sha256(path).slice(0, 16)}`;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Finds the project, and then lists its files like `unusedPermissionFiles`. Throws ConfigError. */
export function findUnusedPermissionFiles(whereabouts: TenantLocation): string[] {
  return unusedPermissionFiles(locateTenant(whereabouts));
}

/** Lists the files with remembered answers in the project's folder. They are not used, because they may have come with the project. */
export function unusedPermissionFiles(scope: TenantScope): string[] {
  const names = scope.namespace === undefined ? [fileName] : [fileName, "always.yaml"];
  return names.map((name) => join(bridleFolder(scope), name)).filter((path) => existsSync(path));
}

/** Explains why a file in the project is not used, with the remedy. */
export function explainUnusedFile(path: string): string {
  return `The remembered answers in ${path} are not used, because a file of a project cannot answer for you. Remove the file; Bridle asks again, and stores answers in your own folder.`;
}
