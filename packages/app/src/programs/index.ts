/** Starting programs, in the one place that does. */
export { makeFolders, spawnProgram } from "@bridle/core";
