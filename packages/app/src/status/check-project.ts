import { resolve } from "node:path";
import { type Check, checksWithoutProject, hostOf, type Project } from "@bridle/project";
import { isBridleError } from "@bridle/protocol";
import type { AppContext } from "../context/app-context.ts";
import { type ProjectSelector, withProject } from "../context/project-context.ts";
import { checkAgent } from "./agent-file-check.ts";
import { checkEnvironmentFile } from "./environment-file-check.ts";

export interface CheckProjectOptions extends ProjectSelector {
  /** Whether to check with one short request that the host accepts the credentials. */
  readonly live: boolean;
  /** Whether to run the boundary proof, which checks on this machine what the host can read and run. */
  readonly boundary: boolean;
  readonly signal: AbortSignal;
}

/** Checks the requirements of a run. A problem, even in the configuration, is a failed check with a remedy. */
export async function checkProject(options: CheckProjectOptions, context: AppContext): Promise<Check[]> {
  const there = { ...context, cwd: resolve(context.cwd, options.projectDir ?? "") };
  const ofFile = checkEnvironmentFile(context.environmentFile);
  try {
    const { project } = await withProject(options, context);
    const { check, backend } = await checkAgent(project, there);
    return [...(await project.doctor(options)).map((each) => forAgent(each, backend, project)), ...ofFile, check];
  } catch (error) {
    if (!isBridleError(error)) throw error;
    return [...(await checksWithoutProject(error)), ...ofFile, (await checkAgent(undefined, there)).check];
  }
}

/** Skips the check of the default host's login in a folder that only contains an agent file, if the agent runs on another host. */
function forAgent(check: Check, backend: string | undefined, { settings }: Project): Check {
  const { provider, configFile } = settings;
  const isUnused = configFile === undefined && backend !== undefined && backend !== provider.backend;
  if (check.id !== "login" || check.ok !== false || !isUnused) return check;
  const detail = `no login of ${hostOf(provider.backend).title}, which agent.yaml does not use`;
  return { id: check.id, title: check.title, area: check.area, ok: "skipped", detail };
}
