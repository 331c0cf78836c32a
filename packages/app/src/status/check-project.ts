import { resolve } from "node:path";
import { type Check, checksWithoutProject } from "@bridle/project";
import { isBridleError } from "@bridle/protocol";
import type { AppContext } from "../context/app-context.ts";
import { type ProjectSelector, withProject } from "../context/project-context.ts";
import { checkAgent } from "./agent-file-check.ts";
import { checkEnvironmentFile } from "./environment-file-check.ts";

export interface CheckProjectOptions extends ProjectSelector {
  /** Ask the host whether it accepts the credentials, with one short request. */
  readonly live: boolean;
  /** Prove the boundary on this machine. */
  readonly boundary: boolean;
  readonly signal: AbortSignal;
}

/** Checks the requirements of a run. A problem, even in the configuration, is a failed check with a remedy. */
export async function checkProject(options: CheckProjectOptions, context: AppContext): Promise<Check[]> {
  const there = { ...context, cwd: resolve(context.cwd, options.projectDir ?? "") };
  const ofFile = checkEnvironmentFile(context.environmentFile);
  try {
    const { project } = await withProject(options, context);
    return [...(await project.doctor(options)), ...ofFile, await checkAgent(project, there)];
  } catch (error) {
    if (!isBridleError(error)) throw error;
    return [...(await checksWithoutProject(error)), ...ofFile, await checkAgent(undefined, there)];
  }
}
