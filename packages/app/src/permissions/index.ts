/** Remembered answers: whether a tool may run. */

export type { ListedPermission } from "@bridle/project";
export { openPermissions } from "./permission-files.ts";
export { listedPermissionSchema, permissionListSchema } from "./permission-schema.ts";
export { listPermissions, removePermission } from "./permissions.ts";
