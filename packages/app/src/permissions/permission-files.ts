import { createPermissionStore, findPermissionFiles } from "@bridle/project";
import { omitUndefined, type PermissionStore } from "@bridle/protocol";
import type { AppContext } from "../context/app-context.ts";
import type { ProjectLocation } from "../context/project-location.ts";

type Context = Pick<AppContext, "cwd" | "environment">;

/** The files of remembered answers: the project's, and the user's own. */
export function permissionFiles(
  { projectDir, namespace }: ProjectLocation,
  { cwd, environment }: Context,
): ReturnType<typeof findPermissionFiles> {
  return findPermissionFiles({ cwd, environment, ...omitUndefined({ projectDir, namespace }) });
}

/** The remembered answers, for use cases that add to them. */
export function openPermissions(location: ProjectLocation, context: Context): PermissionStore {
  return createPermissionStore(permissionFiles(location, context));
}
