import type { AgentDefinition } from "@bridle/agent";
import type { ProjectContext } from "../context/project-context.ts";

/**
 * Asks about trust in a plan's files before a screen or a progress line can hide the question. The agent is checked again when it is
 * opened. Throws ConfigError.
 */
export async function requirePlanTrust(
  { agent }: { readonly agent?: AgentDefinition | undefined },
  { project }: Pick<ProjectContext, "project">,
): Promise<void> {
  if (agent === undefined) {
    await project.requireTrust();
    return;
  }
  const { effectiveFiles } = await import("@bridle/agent");
  await project.requireTrust(await effectiveFiles(agent, project));
}
