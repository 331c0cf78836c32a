import type { OpenedContext } from "@bridle/context";
import type { ProjectContext } from "../context/project-context.ts";

/**
 * Runs `work` with the project's knowledge. Connects to no warehouse and calls no model.
 *
 * @throws FactsError, and ConfigError if the project's state is not trusted.
 */
export async function withKnowledge<T>(
  { project }: Pick<ProjectContext, "project">,
  work: (opened: OpenedContext) => T | Promise<T>,
): Promise<T> {
  await project.requireOwnState();
  const { openProjectContext } = await import("@bridle/data");
  const opened = await openProjectContext(project, { embedder: "none" });
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
