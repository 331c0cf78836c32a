/** Starts programs. All use cases start programs here. */
export { makeFolders, spawnProgram } from "@bridle/core";
