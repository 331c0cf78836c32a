import { type AgentRuntime, type Logger, preview } from "@bridle/protocol";
import {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Caller, CallerTools } from "../caller.ts";
import type { ClientBackend } from "../calls/client-backend.ts";
import { ClientCalls } from "../calls/client-calls.ts";
import type { ServerLimits } from "../limits.ts";
import { formatClient } from "./client-name.ts";
import { describeTool } from "./describe-tool.ts";
import { LogMessages } from "./log-messages.ts";
import { toCallResult } from "./to-call-result.ts";

export interface ClientConnectionOptions {
  readonly name: string;
  readonly version: string;
  readonly runtime: AgentRuntime;
  readonly backend: ClientBackend;
  readonly limits: ServerLimits;
  /** Whether results contain structured data for programs in addition to the text. */
  readonly hasStructured: boolean;
  readonly logger: Logger;
}

/** Reads the client's name, which a client of the revision 2026-07-28 sends with each request. */
const envelopeSchema = z
  .object({ [CLIENT_INFO_META_KEY]: z.object({ name: z.string(), version: z.string() }) })
  .transform((envelope) => envelope[CLIENT_INFO_META_KEY])
  .optional()
  .catch(undefined);

/** Reports an unknown tool name as a protocol error, not as a tool result, as the protocol requires. */
function unknownTool(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** One client with its tools, on any transport. A client of the revision 2026-07-28 has one connection for all its requests. */
export class ClientConnection {
  readonly #caller: Caller;
  readonly #offered: CallerTools;
  readonly #options: ClientConnectionOptions;
  readonly #calls: ClientCalls;
  readonly #servers = new Set<Server>();
  #client: { readonly name: string; readonly version: string } | undefined;

  /** Throws ToolSchemaError if a tool cannot be shown to a model. */
  constructor(caller: Caller, offered: CallerTools, options: ClientConnectionOptions) {
    const { runtime, backend, limits } = options;
    this.#caller = caller;
    this.#offered = offered;
    this.#options = options;
    this.#calls = new ClientCalls({
      runtime,
      backend,
      offered,
      maxCalls: limits.callsPerRun,
      idleMs: limits.runIdleMs,
      maxOpenCalls: limits.openCalls,
      describe: () => this.#describe(),
      onToolAdded: () => this.#announceTools(),
    });
  }

  get openCalls(): number {
    return this.#calls.openCalls;
  }

  /** Creates a server of the protocol, for one transport or one request. */
  createServer(): Server {
    const { name, version, logger } = this.#options;
    const { instructions } = this.#offered;
    const server = new Server(
      { name, version },
      { capabilities: { tools: { listChanged: true }, logging: {} }, ...(instructions && { instructions }) },
    );
    const log = new LogMessages(server);
    server.setRequestHandler("tools/list", ({ params }) => this.#list(params?.cursor));
    server.setRequestHandler("tools/call", (request, context) => this.#call(request, context, { server, log }));
    server.onerror = (error) => logger.debug({ error }, "a message of an MCP client was not understood");
    server.onclose = () => void this.#servers.delete(server);
    this.#servers.add(server);
    return server;
  }

  /** Aborts the open calls. Resolves when all events are in the log. */
  async close(): Promise<void> {
    await this.#calls.close();
  }

  /** Lists the tools. All of them are on one page, so no cursor is valid. */
  #list(cursor: string | undefined) {
    if (cursor === undefined) return { tools: this.#calls.declarations.map(describeTool) };
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "There is no such cursor: all tools are on the first page.",
    );
  }

  async #call(
    { params }: CallToolRequest,
    { mcpReq }: ServerContext,
    { server, log }: { readonly server: Server; readonly log: LogMessages },
  ): Promise<CallToolResult> {
    this.#client = envelopeSchema.parse(mcpReq.envelope) ?? server.getClientVersion() ?? this.#client;
    const progressToken = mcpReq._meta?.progressToken;
    let progress = 0;
    const sent: Promise<void>[] = [];
    const reply = await this.#calls.call({
      tool: params.name,
      input: params.arguments ?? {},
      signal: mcpReq.signal,
      onProgress: (message) => {
        sent.push(this.#note(log.send(mcpReq, params.name, message)));
        if (progressToken === undefined) return;
        progress += 1;
        const notification = { progressToken, progress, message };
        sent.push(this.#note(mcpReq.notify({ method: "notifications/progress", params: notification })));
      },
    });
    await Promise.all(sent); // clients forget a call when they have its result, and then drop its progress messages
    if (reply.isError && !this.#calls.has(params.name)) throw unknownTool(reply.output);
    return toCallResult(reply, this.#options);
  }

  /** Ignores that a message cannot be sent, which must not end a call. */
  #note(sent: Promise<void>): Promise<void> {
    return sent.catch((error: unknown) => this.#options.logger.debug({ error }, "a progress message was not sent"));
  }

  #describe() {
    const { name, transport } = this.#caller;
    const client = formatClient(this.#client);
    return {
      prompt: `Calls of the MCP client ${client} (${transport === "stdio" ? "stdio" : `token ${preview(name)}`}).`,
      labels: { mcpClient: client, mcpCaller: name, mcpTransport: transport },
    };
  }

  #announceTools(): void {
    for (const server of this.#servers) {
      server.sendToolListChanged().catch((error: unknown) => {
        this.#options.logger.debug({ error }, "a change of tools was not announced");
      });
    }
  }
}
