/** Remembered answers: whether a tool may run. */
export { openPermissions } from "./permission-files.ts";
export { listPermissions, removePermission } from "./permissions.ts";
export { listedPermissionSchema, permissionListSchema } from "./permission-schema.ts";
export type { ListedPermission } from "@bridle/project";
