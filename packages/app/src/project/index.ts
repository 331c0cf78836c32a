/** Opens the project of a use case, and reads its `.env` file. */
export { readEnvironmentFile } from "@bridle/project";
export { describeEnvironmentFile } from "../context/environment-file.ts";
export { withProject } from "../context/project-context.ts";
