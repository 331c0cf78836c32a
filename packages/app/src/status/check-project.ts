import { type Check, checksWithoutProject } from "@bridle/project";
import { isBridleError } from "@bridle/protocol";
import type { AppContext } from "../context/app-context.ts";
import { type ProjectSelector, withProject } from "../context/project-context.ts";

export interface CheckProjectOptions extends ProjectSelector {
  /** Ask the host whether it accepts the credentials, with one short request. */
  readonly live: boolean;
  /** Prove the boundary on this machine. */
  readonly boundary: boolean;
  readonly signal: AbortSignal;
}

/** Checks the requirements of a run. A problem, even in the configuration, is a failed check with a remedy. */
export async function checkProject(options: CheckProjectOptions, context: AppContext): Promise<Check[]> {
  try {
    return await (await withProject(options, context)).project.doctor(options);
  } catch (error) {
    if (isBridleError(error)) return checksWithoutProject(error);
    throw error;
  }
}
