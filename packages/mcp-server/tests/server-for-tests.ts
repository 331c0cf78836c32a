import { randomBytes } from "node:crypto";
import { createAgentRuntime, createMemoryEventLog } from "@bridle/core";
import type { AnyTool, Policy, RunEvent } from "@bridle/protocol";
import { onTestFinished } from "vitest";
import type { Caller, CallerTools } from "../src/caller.ts";
import { ClientBackend } from "../src/calls/client-backend.ts";
import type { ServerLimits } from "../src/limits.ts";
import { McpToolServer, type ServeHttpOptions } from "../src/mcp-tool-server.ts";
import type { McpToken } from "../src/tokens/token.ts";
import { connectClient } from "./client-for-tests.ts";

export interface TestServerOptions extends Partial<ServeHttpOptions> {
  readonly tools: readonly AnyTool[];
  /** The tools of particular callers. Default: `tools` for all callers. */
  openTools?(caller: Caller): Promise<CallerTools>;
  readonly policy?: Policy;
  readonly limits?: Partial<ServerLimits>;
  readonly structured?: boolean;
}

/** Creates a server with a runtime in memory. */
function createTestServer({ tools, openTools, policy, limits, structured }: TestServerOptions) {
  const backend = new ClientBackend();
  const eventLog = createMemoryEventLog();
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent) => void events.push(event);
  const runtime = createAgentRuntime({ backend, models: {}, eventLog, policy, onEvent });
  const server = new McpToolServer({
    name: "test",
    version: "1.2.3",
    backend,
    runtime,
    limits,
    structured,
    openTools: openTools ?? (async () => ({ tools })),
  });
  return { server, runtime, events };
}

export function createToken(name: string, parts: Partial<McpToken> = {}): McpToken {
  return { name, token: `test_${randomBytes(24).toString("hex")}`, writes: false, ...parts };
}

/** Creates a test server that listens until the test ends. */
export async function startTestServer(options: TestServerOptions) {
  const { server, runtime, events } = createTestServer(options);
  const token = createToken("reader");
  const { host, port, tokens = [token], allowedHosts, allowedOrigins } = options;
  const listening = await server.serveHttp({ host, port, tokens, allowedHosts, allowedOrigins });
  const close = async () => {
    await listening.close();
    await runtime.close();
  };
  onTestFinished(close);
  const connect = (own = tokens[0] ?? token) => connectClient(listening.url, own.token);
  return { url: listening.url, token: (tokens[0] ?? token).token, events, listening, connect, close };
}

/** Sends one message unchanged. */
export function post(
  url: string,
  token: string | undefined,
  body: string | ReadableStream,
  headers: Record<string, string> = {},
) {
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body,
    ...(typeof body === "string" ? {} : { duplex: "half" }),
  });
}

export const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});

/** Begins a session without a client of the SDK, for messages and headers that the SDK's client would not send. */
export async function beginSession(url: string, token: string) {
  const answer = await post(url, token, initialize);
  const { result } = JSON.parse(/^data: (\{.*)$/m.exec(await answer.text())?.[1] ?? "{}");
  const session = answer.headers.get("mcp-session-id") ?? "";
  const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
  await (await post(url, token, initialized, { "mcp-session-id": session })).text();
  return { session, capabilities: result?.capabilities };
}
