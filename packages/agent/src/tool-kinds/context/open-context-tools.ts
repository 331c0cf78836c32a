import { ConfigError, type OpenedTools, type ToolKindContext } from "@bridle/protocol";
import { checkNamedConnections } from "./check-connections.ts";
import type { ContextToolConfig } from "./context-config.ts";
import { hasContext } from "./context-services.ts";

/** Opens the tools over the databases of the project. Nothing is connected before a tool needs it. Throws ConfigError. */
export async function openContextTools(
  config: ContextToolConfig,
  { services, logger, isRehearsed }: ToolKindContext,
): Promise<OpenedTools> {
  if (!hasContext(services)) {
    throw new ConfigError("Tools of type context belong to a project. Open them with their agent.", { field: "tools" });
  }
  checkNamedConnections(config, services.connectionNames);
  const context = await services.openContext({ logger, isRehearsed });
  const { connections, include, exclude, reply_tokens: replyTokens, knowledge } = config;
  const { tools, instructions } = context.tools({ connections, scope: { include, exclude }, replyTokens, knowledge });
  return {
    tools,
    instructions,
    close: () =>
      context.close().catch((error: unknown) => logger.warn({}, `The databases did not close: ${String(error)}`)),
  };
}
