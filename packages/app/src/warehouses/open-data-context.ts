import type { OpenedContext } from "@bridle/context";
import type { ProjectContextOptions } from "@bridle/data";
import type { ProjectContext } from "../context/project-context.ts";

/** Opens the project's knowledge about its warehouses. Call `close()` when done. Throws ConfigError and FactsError. */
export async function openDataContext(
  { project }: Pick<ProjectContext, "project">,
  options: ProjectContextOptions = {},
): Promise<OpenedContext> {
  await project.requireTrust();
  const { openProjectContext } = await import("@bridle/data");
  return openProjectContext(project, options);
}
