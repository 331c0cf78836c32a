/** Remembered answers about whether a tool may run. */
export { type ListedPermission, listPermissions } from "@bridle/project";
export { listedPermissionSchema, permissionListSchema } from "./permission-schema.ts";
export {
  explainUnusedAnswers,
  locatePermissionFiles,
  type PermissionFiles,
  removeRememberedAnswer,
} from "./permissions.ts";
