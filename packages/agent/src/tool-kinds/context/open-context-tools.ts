import { ConfigError, type OpenedTools, type ToolKindContext } from "@bridle/protocol";
import { AgentMemory } from "./agent-memory.ts";
import { checkNamedConnections } from "./check-connections.ts";
import type { ContextToolConfig } from "./context-config.ts";
import { hasContext } from "./context-services.ts";

const othersMemory =
  "The tool remember is left out: remember: user is for the user of this machine, and others call these tools.";

/** Opens the tools for the databases of the project. A database is connected when a tool first needs it. Throws ConfigError. */
export async function openContextTools(
  config: ContextToolConfig,
  { services, logger, isRehearsed }: ToolKindContext,
): Promise<OpenedTools> {
  if (!hasContext(services)) {
    throw new ConfigError("Tools of type context belong to a project. Open them with their agent.", { field: "tools" });
  }
  checkNamedConnections(config, services.connectionNames);
  const context = await services.openContext({ logger, isRehearsed });
  const { connections, include, exclude, reply_tokens: replyTokens, knowledge, remember: scope } = config;
  const { tools, instructions } = context.tools({ connections, scope: { include, exclude }, replyTokens, knowledge });
  const isOthers = scope === "user" && services.isShared;
  if (isOthers) logger.warn({}, othersMemory);
  const memory = scope && !isOthers ? new AgentMemory(scope, context, { services, isRehearsed }) : undefined;
  const known = scope === "user" && !isOthers ? await services.rememberedForUser() : "";
  return {
    tools: memory === undefined ? tools : [...tools, await memory.tool()],
    instructions: [instructions, known].filter(Boolean).join("\n\n"),
    async close() {
      await memory?.close();
      await context.close().catch((error: unknown) => logger.warn({}, `The databases did not close: ${String(error)}`));
    },
  };
}
