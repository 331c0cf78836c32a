import { type Check, runDoctor } from "@bridle/project";
import type { AppContext } from "../context/app-context.ts";
import { type ProjectLocation, settingsOptions } from "../context/project-location.ts";

export interface CheckProjectOptions extends ProjectLocation {
  /** Ask the host whether it accepts the credentials, with one short request. */
  readonly live: boolean;
  /** Prove the boundary on this machine. */
  readonly boundary: boolean;
  readonly signal: AbortSignal;
}

/** Checks what a run needs. Each failed check has a remedy. */
export function checkProject(options: CheckProjectOptions, context: AppContext): Promise<Check[]> {
  const { live, boundary, signal, ...location } = options;
  return runDoctor({ ...settingsOptions(location, context), live, boundary, signal }, context.cwd);
}
