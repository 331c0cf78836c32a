/** Agents as tools for MCP clients, at `/mcp`. `@bridle/mcp-server` implements the protocol. */
import { type AgentsDispatcher, openAgentsDispatcher } from "@bridle/app/mcp";
import type { Workspace } from "@bridle/app/serving";
import type { Logger } from "@bridle/protocol";
import { z } from "zod";
import type { Api } from "../../http/api.ts";
import { ServerEnding } from "../../http/request-signals.ts";
import { defineRoute, type Route, type RouteReply, type RouteRequest } from "../../http/route.ts";

export function createMcpApi({ logger }: { readonly logger: Logger }): Api {
  const servers = new AgentServers(logger);
  return { id: "mcp", base: "/mcp", routes: mcpRoutes(servers), close: () => servers.close() };
}

/** A message, or a batch from a client of an old revision. The protocol library validates them strictly. */
const messageSchema = z.union([z.looseObject({}), z.array(z.looseObject({}))]);

function mcpRoutes(servers: AgentServers): Route[] {
  const replies = { 200: null, 202: null, 400: null, 404: null };
  const shared = { path: "", role: "operator", replies } as const;
  const streams = () => true;
  return [
    defineRoute({
      ...shared,
      method: "POST",
      summary: "Send a message of an MCP client.",
      body: messageSchema,
      streams,
      handle: (request) => servers.answer("POST", request, JSON.stringify(request.body)),
    }),
    defineRoute({
      ...shared,
      method: "GET",
      summary: "Listen for messages of the server.",
      streams,
      handle: (request) => servers.answer("GET", request),
    }),
    defineRoute({
      ...shared,
      method: "DELETE",
      summary: "End a session of an MCP client.",
      isBodyless: true,
      handle: (request) => servers.answer("DELETE", request),
    }),
  ];
}

/** The MCP servers, one for each workspace. */
class AgentServers {
  readonly #logger: Logger;
  readonly #servers = new Map<Workspace, Promise<AgentsDispatcher>>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  async answer(method: string, request: RouteRequest<unknown, unknown>, body?: string): Promise<RouteReply> {
    const { caller, workspace, headers, signal } = request;
    const server = await this.#open(workspace);
    const isListening = method === "GET";
    const gone = isListening ? signal : whenClientLeaves(signal);
    const from = new Request("http://localhost/mcp", {
      method,
      headers,
      signal: gone,
      ...(body !== undefined && { body }),
    });
    const client = { name: caller.name, transport: "http", writes: true } as const; // the rules apply to each call by an agent
    const leave = isListening ? () => {} : workspace.jobs.join(); // shutdown waits for the result of a call
    try {
      const { response, done } = await server.answer(client, from, Buffer.from(body ?? ""));
      return await toReply(response, () => done().finally(leave));
    } catch (error) {
      leave();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.keys()].map((workspace) => this.#close(workspace)));
  }

  async #close(workspace: Workspace): Promise<void> {
    const server = await this.#servers.get(workspace)?.catch(() => undefined);
    this.#servers.delete(workspace);
    await server?.close();
  }

  #open(workspace: Workspace): Promise<AgentsDispatcher> {
    let server = this.#servers.get(workspace);
    if (server === undefined) {
      server = openAgentsDispatcher(workspace, { logger: this.#logger });
      this.#servers.set(workspace, server);
      workspace.onClose(() => this.#close(workspace));
      server.catch(() => this.#servers.delete(workspace)); // the next request retries
    }
    return server;
  }
}

/** Returns a signal that is aborted only if the client disconnects. During shutdown, calls in progress get the same time as runs. */
function whenClientLeaves(signal: AbortSignal): AbortSignal {
  const left = new AbortController();
  const onAbort = () => void (signal.reason instanceof ServerEnding || left.abort(signal.reason));
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return left.signal;
}

async function toReply(response: Response, done: () => Promise<void>): Promise<RouteReply> {
  const { status, body } = response;
  const { "content-type": contentType, "content-length": _length, ...headers } = Object.fromEntries(response.headers);
  const shared = { status, headers, ...(contentType !== undefined && { contentType }) };
  if (contentType?.startsWith("text/event-stream") && body !== null) return { ...shared, stream: parts(body, done) };
  const text = await response.text();
  await done();
  return { ...shared, ...(text !== "" && { body: text }) };
}

/** Yields the parts of a body. The next part is requested when the connection has accepted the previous one. */
async function* parts(body: ReadableStream<Uint8Array>, done: () => Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    await done();
  }
}
