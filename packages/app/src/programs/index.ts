/** Starting programs, in the one place that does. */
export { spawnProgram } from "@bridle/core";
