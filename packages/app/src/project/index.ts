/** Opens the project of a use case. */
export { withProject } from "../context/project-context.ts";
