import {
  explainUnusedFile,
  findPermissionFiles,
  findUnusedPermissionFiles,
  type ListedPermission,
  listPermissions,
  type Project,
  removePermission as removeFrom,
} from "@bridle/project";
import { NotFoundError, omitUndefined, suggestion } from "@bridle/protocol";
import type { AppContext } from "../context/app-context.ts";
import type { ProjectSelector } from "../context/project-context.ts";
import { UsageError } from "../context/usage-error.ts";

/** The files with remembered answers. */
export type PermissionFiles = Project["permissionFiles"];

/** Finds the files of the project and the user. Does not read `bridle.yaml`, which may be invalid. Throws ConfigError. */
export function locatePermissionFiles(
  { projectDir, namespace }: ProjectSelector,
  { cwd, environment }: Pick<AppContext, "cwd" | "environment">,
): PermissionFiles {
  return findPermissionFiles({ cwd, environment, ...omitUndefined({ projectDir, namespace }) });
}

/** Returns a sentence for each file with remembered answers that is in the project and is therefore not used. Throws ConfigError. */
export function explainUnusedAnswers(
  { projectDir, namespace }: ProjectSelector,
  { cwd, environment }: Pick<AppContext, "cwd" | "environment">,
): string[] {
  const found = findUnusedPermissionFiles({ cwd, environment, ...omitUndefined({ projectDir, namespace }) });
  return found.map(explainUnusedFile);
}

/** Removes a remembered answer and returns it. Throws NotFoundError if there is none with this id. */
export async function removeRememberedAnswer(
  id: string | undefined,
  files: PermissionFiles,
): Promise<ListedPermission> {
  if (id === undefined) throw new UsageError('The id is missing. "bridle permissions list" shows the ids.');
  const removed = await removeFrom(files, id);
  if (removed) return removed;
  const known = (await listPermissions(files)).map((each) => each.id);
  throw new NotFoundError(
    `No remembered answer has the id "${id}".${suggestion(id, known)} See "bridle permissions list".`,
  );
}
