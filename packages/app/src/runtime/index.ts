/** Creates the runtimes of a project. */
export { createRuntime } from "@bridle/project";
