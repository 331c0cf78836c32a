/**
 * A successful request to each route, with existing ids. The fuzzer starts from these requests, and tests of all routes send them.
 */
import type { FilledIds } from "./fill-server.ts";

export interface GoodRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path, including the base path of its API, with names in braces. */
  readonly path: string;
  readonly names: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Whether the reply is a stream that only the server or the client ends. */
  readonly isEndless: boolean;
}

type Details = Partial<Omit<GoodRequest, "method" | "path">>;

function request(method: GoodRequest["method"], path: string, details: Details = {}): GoodRequest {
  const base = path.startsWith("..") ? path.slice(2) : `/api/v1${path}`;
  return { names: {}, query: {}, headers: {}, body: undefined, isEndless: false, ...details, method, path: base };
}

/** Returns the key of a route: `METHOD /path/{name}`. */
export function keyOf({ method, path }: Pick<GoodRequest, "method" | "path">): string {
  return `${method} ${path}`;
}

/** Returns the request target. */
export function targetOf({ path, names, query }: GoodRequest): string {
  const named = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? "missing"));
  const search = new URLSearchParams(query).toString();
  return search === "" ? named : `${named}?${search}`;
}

/** Creates the requests, ordered so that no request removes data that a later request needs. */
export function goodRequests(ids: FilledIds): readonly GoodRequest[] {
  return [...reading(ids), ...streaming(ids), ...changing(ids), ...facades(ids), ...removing(ids)];
}

function reading(ids: FilledIds): GoodRequest[] {
  const [agent, session, run] = [{ agent: "agent" }, { session: ids.session }, { run: ids.run }];
  return [
    ...["/openapi.json", "/status", "/doctor", "/models", "/limits", "/processes", "/agents", "/agent-checks"].map(
      (path) => request("GET", path),
    ),
    ...["/rules", "/permissions", "/doctor/boundary"].map((path) => request("GET", path)),
    request("GET", "/costs", { query: { days: "7", timeZone: "Europe/Berlin" } }),
    request("GET", "/agents/{agent}", { names: agent }),
    request("GET", "/agents/{agent}/check", { names: agent }),
    request("GET", "/sessions", { query: { ...agent, limit: "5", q: "fill", tests: "false" } }),
    request("GET", "/sessions/{session}", { names: session }),
    request("GET", "/sessions/{session}/events", { names: session, query: { after: "1", limit: "50" } }),
    request("GET", "/sessions/{session}/transcript", { names: session, query: { at: "3" } }),
    request("GET", "/sessions/{session}/context", { names: session }),
    request("GET", "/sessions/{session}/runs", { names: session, query: { limit: "2" } }),
    request("GET", "/runs/{run}", { names: run }),
    request("GET", "/runs/{run}/replay", { names: run, query: { at: "3" } }),
    request("GET", "/runs/{run}/bundle", { names: run, query: { artifacts: "1" } }),
    request("GET", "/artifacts/{sha256}", { names: { sha256: ids.artifact } }),
    request("GET", "/approvals", { query: { state: "all", limit: "20" } }),
    request("GET", "/approvals/{approval}", { names: { approval: ids.approval } }),
    request("GET", "/documents", { query: { ...agent, tool: "handbook" } }),
    request("GET", "/documents/search", { query: { ...agent, query: "walnut", topK: "3", mode: "keyword" } }),
    request("GET", "/documents/{tool}/chunks", {
      names: { tool: "handbook" },
      query: { ...agent, file: "docs/returns.md" },
    }),
    ...readingDataContext(),
    request("GET", "/tests/runs", { query: { ...agent, limit: "1" } }),
    request("GET", "/tests/runs/{id}", { names: { id: ids.testRun } }),
    request("GET", "/tests/runs/{id}/overview", { names: { id: ids.testRun } }),
    request("GET", "/tests/runs/{id}/case", { names: { id: ids.testRun }, query: { name: "greets" } }),
    request("GET", "/tests/runs/{id}/events", { names: { id: ids.testRun } }),
    request("GET", "/tests/compare", { query: { a: ids.earlierTestRun, b: ids.testRun } }),
    request("GET", "../ag-ui/agents/{agent}/capabilities", { names: agent }),
    request("GET", "../ai-sdk/agents/{agent}/chat/{chat}/stream", { names: { ...agent, chat: ids.session } }),
    request("GET", "../openai/v1/models"),
    request("GET", "../openai/v1/models/{model}", { names: { model: "agent" } }),
    request("GET", "../openai/v1/responses/{response}", { names: { response: ids.response } }),
  ];
}

function readingDataContext(): GoodRequest[] {
  const whole = ["/context", "/context/joins", "/context/metrics", "/context/pages", "/context/contradictions"];
  return [
    ...whole.map((path) => request("GET", path)),
    request("GET", "/context/tables", { query: { limit: "1" } }),
    request("GET", "/context/table", { query: { table: "shop.main.orders" } }),
    request("GET", "/context/metrics/plan", { query: { measures: "orders.revenue", dimensions: "orders.placed_on" } }),
    request("GET", "/context/page", { query: { page: "orders" } }),
    request("GET", "/context/why", { query: { key: "orders" } }),
    request("GET", "/context/search", { query: { query: "orders", limit: "3", mode: "keyword" } }),
  ];
}

function streaming({ session, mcpSession }: FilledIds): GoodRequest[] {
  const headers = { accept: "text/event-stream" };
  const query = { sessions: `${session}:2`, topics: "approvals,runs" };
  return [
    request("GET", "/stream", { query, headers, isEndless: true }),
    request("GET", "/sessions/{session}/events", { names: { session }, headers, isEndless: true }),
    request("GET", "../mcp", { headers: { ...headers, "mcp-session-id": mcpSession }, isEndless: true }),
  ];
}

/** A prompt for which the model calls no tool that needs an answer. */
const prompt = "plain words";

function changing(ids: FilledIds): GoodRequest[] {
  const [session, run, agent] = [{ session: ids.session }, { run: ids.run }, "agent"];
  return [
    request("POST", "/agents/{agent}/validate", {
      names: { agent },
      body: { text: "name: x\ninstructions: { inline: Hi }\n" },
    }),
    request("POST", "/doctor/boundary", { body: {} }),
    request("POST", "/sessions", { body: { agent, labels: { team: "a" } } }),
    request("POST", "/sessions/{session}/fork", { names: session, body: { atStep: 1 } }),
    request("POST", "/sessions/{session}/compact", { names: session, body: { strategy: "drop-tool-results" } }),
    request("POST", "/sessions/{session}/runs", {
      names: session,
      query: { wait: "1" },
      headers: { "idempotency-key": "key-1" },
      body: { prompt, agent, timeLimit: 20, labels: { team: "a" }, attachments: [attachment] },
    }),
    request("POST", "/approvals/{approval}/answer", {
      names: { approval: ids.approval },
      body: { inputHash: ids.inputHash, decision: "deny", scope: "once", message: "Not now." },
    }),
    request("POST", "/rules/preview", { body: { rules: { rules: [{ tool: "tell", then: "deny" }] }, over: 20 } }),
    request("PUT", "/rules", {
      headers: { "if-match": "*" },
      body: { rules: { rules: [{ tool: "read_result", then: "ask" }] } },
    }),
    request("POST", "/documents/index", { body: { agent, tool: "handbook", rebuild: false } }),
    request("POST", "/tests/runs", { body: { agent, cases: ["greets"], trials: 1, parallel: 1 } }),
    request("POST", "/tests/runs/{id}/stop", { names: { id: ids.newTestRun }, body: {} }),
    request("POST", "/runs/{run}/stop", { names: { run: ids.waitingRun ?? run.run }, body: { reason: "Enough." } }),
  ];
}

const attachment = { name: "notes.md", mediaType: "text/markdown", data: Buffer.from("# Notes").toString("base64") };

function facades({ session, response, mcpSession }: FilledIds): GoodRequest[] {
  const names = { agent: "agent", thread: session, chat: session };
  const both = { accept: "application/json, text/event-stream", "mcp-session-id": mcpSession };
  const call = { name: "ask_agent", arguments: { message: prompt } };
  return [
    request("POST", "../ag-ui/agents/{agent}", {
      names,
      body: {
        threadId: "thread-1",
        runId: "r",
        state: {},
        tools: [],
        context: [],
        forwardedProps: {},
        messages: [{ id: "u", role: "user", content: prompt }],
      },
    }),
    request("POST", "../ag-ui/agents/{agent}/threads/{thread}/stop", { names, body: {} }),
    request("POST", "../ai-sdk/agents/{agent}/chat", {
      names,
      body: { id: "chat-1", trigger: "submit-message", messages: [{ id: "u", role: "user", parts: [textPart] }] },
    }),
    request("POST", "../ai-sdk/agents/{agent}/chat/{chat}/stop", { names, body: {} }),
    request("POST", "../openai/v1/responses", {
      body: { model: "agent", input: [{ role: "user", content: [{ type: "input_text", text: prompt }] }] },
    }),
    request("POST", "../openai/v1/responses/{response}/cancel", { names: { response }, body: {} }),
    request("POST", "../openai/v1/chat/completions", {
      body: { model: "agent", messages: [{ role: "user", content: prompt }], stream: false },
    }),
    request("POST", "../mcp", {
      headers: both,
      body: { jsonrpc: "2.0", id: 7, method: "tools/call", params: call },
    }),
  ];
}

const textPart = { type: "text", text: prompt };

function removing({ permission, removable, mcpSession }: FilledIds): GoodRequest[] {
  return [
    request("DELETE", "../mcp", { headers: { "mcp-session-id": mcpSession } }),
    request("DELETE", "/permissions/{permission}", { names: { permission }, body: {} }),
    request("DELETE", "/sessions/{session}", { names: { session: removable }, body: {} }),
  ];
}
