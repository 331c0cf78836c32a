/** Trust in folders: the effects of their files, and which files the user trusts. */

export { createFolderTrust, createTrustForOnce, formatEffect, formatStates, trustEverything } from "@bridle/project";
export { requirePlanTrust } from "./require-plan-trust.ts";
export {
  listTrust,
  noteTrust,
  revokeTrust,
  type ShownTrust,
  showTrust,
  type TrustedFiles,
  type TrustReport,
  trustedFilesSchema,
  trustFolder,
  trustReportSchema,
} from "./trust-folder.ts";
