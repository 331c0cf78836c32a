/** Functions that open a project for a single operation. Programs with several operations open it once, with `openProject()`. */
import { isBridleError } from "@bridle/protocol";
import type { Check } from "./doctor/check.ts";
import { type CheckOptions, checksWithoutProject } from "./doctor/run-doctor.ts";
import { factsWithoutProject, type SupportFacts } from "./doctor/support-facts.ts";
import { openProject, type ProjectOptions } from "./project.ts";

export interface DoctorOptions extends ProjectOptions, CheckOptions {}

/** Opens the project and checks everything that a run needs. A problem is a failed check with a remedy, never an error. */
export async function runDoctor(options: DoctorOptions = {}, cwd?: string): Promise<Check[]> {
  const { live, boundary, signal, ...settings } = options;
  try {
    return await (await openProject({ ...settings, cwd })).doctor({ live, boundary, signal });
  } catch (error) {
    if (isBridleError(error)) return checksWithoutProject(error);
    throw error;
  }
}

/** Opens the project and collects the facts that support needs, even if the configuration is wrong. */
export async function collectSupportFacts(options: ProjectOptions = {}, cwd?: string): Promise<SupportFacts> {
  try {
    return await (await openProject({ ...options, cwd })).supportFacts();
  } catch (error) {
    if (isBridleError(error)) return factsWithoutProject(error, options.environment);
    throw error;
  }
}
