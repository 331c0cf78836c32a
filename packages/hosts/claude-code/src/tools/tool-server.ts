import { createSdkMcpServer, type McpSdkServerConfigWithInstance } from "@anthropic-ai/claude-agent-sdk";
import type { ToolCall, ToolDeclaration, ToolReply } from "@bridle/protocol";
import { z } from "zod";
import { longestWaitSeconds, serverName } from "./tool-names.ts";

/** Our tools as the host's only MCP server, in this process. */
export interface ToolServer {
  readonly config: McpSdkServerConfigWithInstance;
  /** True once a tool was offered in addition to those that it was made with. */
  readonly hasOffered: boolean;
}

export interface ToolServerOptions {
  tools: readonly ToolDeclaration[];
  /** Contract: does not reject. */
  callTool(call: ToolCall): Promise<ToolReply>;
}

/** How long a result waits for the host to learn of a tool that is offered with it. */
const offerMs = 1000;

const listRequest = z.object({ method: z.literal("tools/list") });
const callRequest = z.object({
  method: z.literal("tools/call"),
  params: z.object({
    name: z.string(),
    arguments: z.unknown().optional(),
    _meta: z.looseObject({ "claudecode/toolUseId": z.string().optional() }).optional(),
  }),
});

/**
 * Serves the declarations as they are. The SDK's own `tool()` takes Zod shapes and would write the schemas anew, so
 * the protocol's two requests are answered here, on the server that the SDK makes.
 */
export function createToolServer({ tools, callTool }: ToolServerOptions): ToolServer {
  const offered = [...tools];
  let listed = Promise.withResolvers<void>();
  const config = createConfig();
  const { server } = config.instance;
  server.registerCapabilities({ tools: { listChanged: true } });

  server.setRequestHandler(listRequest, async () => {
    listed.resolve();
    return { tools: offered.map(toMcp) };
  });

  server.setRequestHandler(callRequest, async ({ params }) => {
    const callId = params._meta?.["claudecode/toolUseId"] ?? "";
    const reply = await callTool({ callId, tool: params.name, input: params.arguments });
    if (reply.offer) await offer(reply.offer);
    return { content: [{ type: "text" as const, text: reply.output }], isError: reply.isError };
  });

  async function offer(tool: ToolDeclaration): Promise<void> {
    offered.push(tool);
    listed = Promise.withResolvers();
    await server.sendToolListChanged();
    await Promise.race([listed.promise, new Promise((resolve) => setTimeout(resolve, offerMs).unref())]);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }

  return {
    config,
    get hasOffered() {
      return offered.length > tools.length;
    },
  };
}

/**
 * A call may wait for a person: the host neither ends it nor goes on without its result. The SDK has the second
 * setting, its typings do not.
 */
function createConfig(): McpSdkServerConfigWithInstance {
  const limits = { timeout: longestWaitSeconds * 1000 };
  const config = createSdkMcpServer({ name: serverName, version: "1.0.0", tools: [], ...limits });
  return Object.assign(config, { disableAutoBackground: true });
}

function toMcp({ name, description, inputSchema, annotations }: ToolDeclaration) {
  const { readOnly, destructive, idempotent, openWorld } = annotations;
  return {
    name,
    description,
    inputSchema: { type: "object" as const, ...inputSchema },
    annotations: {
      ...(readOnly === undefined ? {} : { readOnlyHint: readOnly }),
      ...(destructive === undefined ? {} : { destructiveHint: destructive }),
      ...(idempotent === undefined ? {} : { idempotentHint: idempotent }),
      ...(openWorld === undefined ? {} : { openWorldHint: openWorld }),
    },
  };
}
