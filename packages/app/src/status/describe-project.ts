import { describeStatus, type Status } from "@bridle/project";
import type { AppContext } from "../context/app-context.ts";
import { type ProjectSelector, projectOptions } from "../context/project-context.ts";

/** Describes what is configured, used and degraded. Calls no model. Throws ConfigError. */
export function describeProject(selector: ProjectSelector, context: AppContext): Promise<Status> {
  return describeStatus(projectOptions(selector, context));
}
