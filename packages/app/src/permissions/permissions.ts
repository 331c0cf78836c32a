import {
  type ListedPermission,
  listPermissions as listPermissionsOf,
  removePermission as removePermissionFrom,
} from "@bridle/project";
import { suggestion } from "@bridle/protocol";
import type { AppContext } from "../context/app-context.ts";
import type { ProjectLocation } from "../context/project-location.ts";
import { UsageError } from "../context/usage-error.ts";
import { permissionFiles } from "./permission-files.ts";

type Context = Pick<AppContext, "cwd" | "environment">;

/** Lists the remembered answers of the project and of the user. */
export async function listPermissions(
  location: ProjectLocation,
  context: Context,
): Promise<readonly ListedPermission[]> {
  return listPermissionsOf(permissionFiles(location, context));
}

/** Removes a remembered answer and returns it. Throws UsageError if there is none with this id. */
export async function removePermission(
  id: string | undefined,
  location: ProjectLocation,
  context: Context,
): Promise<ListedPermission> {
  const files = permissionFiles(location, context);
  if (id === undefined) throw new UsageError('The id is missing. "bridle permissions list" shows the ids.');
  const removed = await removePermissionFrom(files, id);
  if (removed) return removed;
  const known = (await listPermissionsOf(files)).map((each) => each.id);
  throw new UsageError(
    `No remembered answer has the id "${id}".${suggestion(id, known)} See "bridle permissions list".`,
  );
}
