import { allowAllTools, type Logger } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";
import { openWorkspace } from "../serving/open-workspace.ts";
import { requireAgentsTrust } from "../serving/require-agents-trust.ts";
import { askAgentTools } from "./ask-agent-tools.ts";
import type { OpenedSource } from "./opened-source.ts";

export interface AgentsSelection {
  /** The files of the agents. Empty: those in the usual places of the project, else its model. */
  readonly files: readonly string[];
  readonly mayWrite: boolean;
  /** The file of a rehearsal script. */
  readonly rehearse?: string | undefined;
}

/**
 * Opens agents as tools. Whoever starts the server with them wants them called: what an agent may do is decided by its own rules
 * and those of the project. Throws ConfigError.
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
