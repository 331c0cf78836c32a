import { allowAllTools, type Logger } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";
import { openWorkspace } from "../serving/open-workspace.ts";
import { requireAgentsTrust } from "../serving/require-agents-trust.ts";
import { askAgentTools } from "./ask-agent-tools.ts";
import type { OpenedSource } from "./opened-source.ts";

export interface AgentsSelection {
  /** The agent files. If empty, the files in the usual places of the project, or else its model. */
  readonly files: readonly string[];
  readonly mayWrite: boolean;
  /** The file of a rehearsal script. */
  readonly rehearse?: string | undefined;
}

/**
 * Opens agents as tools. Starting the server with agents is consent to call them. Calls that the agents make are still subject to the rules
 * of the agent and of the project.
 *
 * @throws ConfigError
 */
export async function openAgentsSource(
  { files, mayWrite, rehearse }: AgentsSelection,
  context: ProjectContext,
  { logger }: { readonly logger: Logger },
): Promise<OpenedSource> {
  const workspace = await openWorkspace(context, { agents: files, rehearse, logger });
  try {
    await requireAgentsTrust(workspace.agents, context);
  } catch (error) {
    await workspace.close();
    throw error;
  }
  const tools = askAgentTools(workspace, { mayWrite, deniesQuestions: true });
  const close = () => workspace.close();
  return { project: context.project, tools, instructions: [], policy: allowAllTools, warnings: [], close };
}
