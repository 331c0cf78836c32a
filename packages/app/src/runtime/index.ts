/** Runtimes of a project. */
export { createRuntime } from "@bridle/project";
