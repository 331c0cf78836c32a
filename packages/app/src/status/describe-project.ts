import type { Status } from "@bridle/project";
import type { AppContext } from "../context/app-context.ts";
import { type ProjectSelector, withProject } from "../context/project-context.ts";

/** Describes the project's configuration, and the settings and features that runs use. Calls no model. Throws ConfigError. */
export async function describeProject(selector: ProjectSelector, context: AppContext): Promise<Status> {
  const status = await (await withProject(selector, context)).project.status();
  return { ...status, environmentFile: context.environmentFile ?? null };
}
