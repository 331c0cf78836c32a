/**
 * Use cases of Bridle: the work of its commands, as functions that take data and return data. Each folder is a separate entry, such as
 * `@bridle/app/sessions`. This entry contains the parts that the others share.
 */

export { createPrivateFolder } from "@bridle/core";
export type { Environment } from "@bridle/project";
export type { AppContext } from "./context/app-context.ts";
export type { ProjectContext, ProjectSelector } from "./context/project-context.ts";
export { UsageError } from "./context/usage-error.ts";
export { claimOutput, type OutputFile } from "./files/output-file.ts";
export { readText } from "./files/read-text.ts";
export { inTemporaryFolder, removeOwnFolders } from "./files/temporary-folders.ts";
export { fitOnLine, formatInput } from "./text/one-line.ts";
