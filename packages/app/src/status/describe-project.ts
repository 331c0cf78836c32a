import { describeStatus, type Status } from "@bridle/project";
import type { AppContext } from "../context/app-context.ts";
import { type ProjectLocation, settingsOptions } from "../context/project-location.ts";

/** Describes what is configured, used and degraded. Calls no model. Throws ConfigError. */
export function describeProject(location: ProjectLocation, context: AppContext): Promise<Status> {
  return describeStatus(settingsOptions(location, context), context.cwd);
}
