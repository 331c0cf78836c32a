import { resolve } from "node:path";
import type { AgentDefinition } from "@bridle/agent";
import { ConfigError } from "@bridle/protocol";
import { loadAgentFile } from "../agents/load-agent-file.ts";
import type { ProjectContext } from "../context/project-context.ts";
import type { ServedAgents } from "./workspace.ts";

/**
 * Resolves if the project and all served agents are trusted, so that a server fails when it starts and not in its first run. Agent files
 * with other errors are skipped, because they are not served until they are corrected.
 *
 * @throws ConfigError
 */
export async function requireAgentsTrust(
  agents: Pick<ServedAgents, "list">,
  context: Pick<ProjectContext, "cwd" | "environment" | "packageRoot" | "trust" | "project">,
): Promise<void> {
  const { project } = context;
  const definitions: AgentDefinition[] = [];
  for (const { file } of agents.list()) {
    const definition = file === undefined ? undefined : await tryLoad(resolve(project.projectDir, file), context);
    if (definition !== undefined) definitions.push(definition);
  }
  const { effectiveFiles } = await import("@bridle/agent");
  const files = await Promise.all(definitions.map((definition) => effectiveFiles(definition, project)));
  await project.requireTrust(files.flat());
}

async function tryLoad(
  path: string,
  context: Parameters<typeof loadAgentFile>[1],
): Promise<AgentDefinition | undefined> {
  try {
    return await loadAgentFile(path, context);
  } catch (error) {
    if (error instanceof ConfigError && error.field !== "trust") return undefined;
    throw error;
  }
}
