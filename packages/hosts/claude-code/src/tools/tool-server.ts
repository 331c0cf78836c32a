import { createSdkMcpServer, type McpSdkServerConfigWithInstance } from "@anthropic-ai/claude-agent-sdk";
import { omitUndefined, type ToolCall, type ToolDeclaration, type ToolReply } from "@bridle/protocol";
import { z } from "zod";
import { maxWaitSeconds, serverName } from "./tool-names.ts";

export interface ToolServerOptions {
  tools: readonly ToolDeclaration[];
  /** Makes a call. Contract: does not reject. */
  callTool(call: ToolCall): Promise<ToolReply>;
}

/** How many milliseconds a result waits until the host has listed the tool that the result adds. */
const listingMs = 1000;

/** How many milliseconds the host gets to process the list. */
const settlingMs = 20;

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
 * Serves our tools as the host's only MCP server, in this process.
 *
 * The declarations stay unchanged. The SDK's own `tool()` takes Zod shapes and would generate the schemas again. This class therefore
 * answers the protocol's two requests itself, on the server that the SDK has created.
 */
export class ToolServer {
  readonly config: McpSdkServerConfigWithInstance = createConfig();
  readonly #callTool: ToolServerOptions["callTool"];
  readonly #tools: ToolDeclaration[];
  #hasAdded = false;
  #listed = Promise.withResolvers<void>();

  constructor({ tools, callTool }: ToolServerOptions) {
    this.#callTool = callTool;
    this.#tools = [...tools];
    const { server } = this.config.instance;
    server.registerCapabilities({ tools: { listChanged: true } });
    server.setRequestHandler(listRequest, async () => this.#list());
    server.setRequestHandler(callRequest, ({ params }) => this.#call(params));
  }

  /** Whether a result has added a tool to the initial ones. */
  get hasAdded(): boolean {
    return this.#hasAdded;
  }

  #list() {
    this.#listed.resolve();
    return { tools: this.#tools.map(toMcp) };
  }

  async #call({ name, arguments: input, _meta }: z.output<typeof callRequest>["params"]) {
    const callId = _meta?.["claudecode/toolUseId"] ?? "";
    const reply = await this.#callTool({ callId, tool: name, input });
    if (reply.addedTool) await this.#add(reply.addedTool);
    const isMarked = reply.isError && !reply.images?.length; // the host drops images in an error
    return { content: toContent(reply), isError: isMarked };
  }

  async #add(tool: ToolDeclaration): Promise<void> {
    this.#tools.push(tool);
    this.#hasAdded = true;
    this.#listed = Promise.withResolvers();
    await this.config.instance.server.sendToolListChanged();
    await Promise.race([this.#listed.promise, new Promise((resolve) => setTimeout(resolve, listingMs).unref())]);
    await new Promise((resolve) => setTimeout(resolve, settlingMs));
  }
}

/**
 * Creates the server's configuration. A call may wait for the user; with these settings, the host neither ends the call nor continues
 * without its result. The SDK supports `disableAutoBackground`, but does not declare its type.
 */
function createConfig(): McpSdkServerConfigWithInstance {
  const limits = { timeout: maxWaitSeconds * 1000 };
  const config = createSdkMcpServer({ name: serverName, version: "1.0.0", tools: [], ...limits });
  return Object.assign(config, { disableAutoBackground: true });
}

/** Converts a reply. Leaves out a blank text block next to images, because the API refuses such a block. */
function toContent({ output, images = [] }: ToolReply) {
  const parts = images.map(({ mediaType, data }) => ({ type: "image" as const, mimeType: mediaType, data }));
  return parts.length > 0 && output.trim() === "" ? parts : [{ type: "text" as const, text: output }, ...parts];
}

function toMcp({ name, description, inputSchema, annotations, parallel }: ToolDeclaration) {
  const { readOnly, destructive, idempotent, openWorld } = annotations;
  return {
    name,
    description,
    inputSchema: { type: "object" as const, ...inputSchema },
    annotations: omitUndefined({
      readOnlyHint: readOnly || parallel, // the host runs only such tools in parallel
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    }),
  };
}
