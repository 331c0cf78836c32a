import type { McpDispatcher } from "@bridle/mcp-server";
import { allowAllTools, type Logger } from "@bridle/protocol";
import type { Workspace } from "../serving/workspace.ts";
import { askAgentTools } from "./ask-agent-tools.ts";

/** Answers MCP clients of a server. */
export interface AgentsDispatcher extends Pick<McpDispatcher, "answer"> {
  close(): Promise<void>;
}

/**
 * Offers the agents of a workspace as tools to the MCP clients of a server that has already checked their requests. The agents' runs wait
 * for answers to questions, because a server has users who can answer. Throws ConfigError.
 */
export async function openAgentsDispatcher(
  workspace: Workspace,
  { logger }: { readonly logger: Logger },
): Promise<AgentsDispatcher> {
  const { ClientBackend, McpToolServer } = await import("@bridle/mcp-server");
  const { project, version } = workspace.context;
  const backend = new ClientBackend();
  const runtime = await project.createRuntimeOn(backend, { eventLog: "project", logger });
  const server = new McpToolServer({
    name: "bridle",
    version,
    backend,
    runtime,
    logger,
    openTools: async ({ writes }) => ({
      tools: askAgentTools(workspace, { mayWrite: writes, deniesQuestions: false }),
      policy: allowAllTools,
    }),
  });
  const { users } = workspace.context.project.settings.serve;
  const owner = 1;
  const dispatcher = server.openDispatcher(Object.keys(users).length + owner);
  return {
    answer: (caller, request, body) => dispatcher.answer(caller, request, body),
    async close() {
      await dispatcher.close();
      await runtime.close();
    },
  };
}
