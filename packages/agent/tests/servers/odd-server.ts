/**
 * A server of the Model Context Protocol in raw JSON-RPC that misbehaves on request: its arguments and the called tool define how. `--log
 * FILE` writes the server's pid and every received message to a file; `--leaves-group FILE` starts a process in a separate session and
 * writes that process's pid.
 */
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { manyTools } from "./many-tools.ts";
import { oddTools } from "./odd-tools.ts";

const { values: mode } = parseArgs({
  options: {
    log: { type: "string" },
    tools: { type: "string", default: "odd" },
    "dies-at-start": { type: "boolean" },
    "never-shakes-hands": { type: "boolean" },
    stays: { type: "boolean" },
    noisy: { type: "boolean" },
    "leaves-group": { type: "string" },
  },
});

interface Request {
  id?: number | string;
  method?: string;
  params?: { name?: string; arguments?: Record<string, unknown>; cursor?: string; _meta?: { progressToken?: unknown } };
  result?: unknown;
  error?: unknown;
}

const lists: Record<string, readonly object[]> = {
  odd: oddTools,
  many: manyTools,
  meeting: ["get.order", "get_order"].map((name) => ({ name, inputSchema: { type: "object" } })),
  formats: ["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"].map(
    ($schema, at) => ({
      name: `count_${at}`,
      inputSchema: { $schema, type: "object", properties: { count: { type: "integer", format: "uint32" } } },
      outputSchema: { $schema, type: "object", properties: { total: { type: "integer", format: "decimal" } } },
    }),
  ),
  broken: [
    { name: "later", inputSchema: { type: "object" }, execution: { taskSupport: "required" } },
    { name: "good", inputSchema: { type: "object" } },
    { name: "bad", inputSchema: { type: "object", properties: { a: { $ref: "#/$defs/nowhere" } } } },
  ],
};
const tools = [...(lists[mode.tools] ?? [])];
const pageSize = 50;
const asked = new Map<string, (reply: Request) => void>();

const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const say = (text: string) => ({ content: [{ type: "text", text }] });

/** Sends a request to the client and resolves with the whole response. */
function ask(method: string, params: object): Promise<Request> {
  const id = `s${asked.size}`;
  send({ id, method, params });
  return new Promise((resolve) => asked.set(id, resolve));
}

/** Returns undefined for a call that is never answered. */
async function call({ params = {} }: Request): Promise<object | undefined> {
  const { name, arguments: input = {}, _meta: meta } = params;
  switch (name) {
    case "environment":
      return say(JSON.stringify(process.env));
    case "pid":
      return say(String(process.pid));
    case "die":
    case "die_safely":
      if (input.unless !== undefined && existsSync(String(input.unless))) return say("lived");
      if (input.unless !== undefined) writeFileSync(String(input.unless), "");
      process.stderr.write("the disk is full\n");
      process.exit(3);
      break;
    case "count_0":
      return { ...say("1"), structuredContent: { total: 1 } };
    case "hang":
      return undefined;
    case "freeze":
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      return undefined;
    case "fail":
      return { ...say("there is no such order"), isError: true };
    case "throw":
      throw new Error("the database is away");
    case "mixed":
      return {
        content: [
          { type: "text", text: "Here it is." },
          { type: "image", mimeType: "image/png", data: "aGVsbG8=" },
          { type: "audio", mimeType: "audio/wav", data: "aGVsbG8=" },
          { type: "resource", resource: { uri: "memo://1", mimeType: "text/plain", text: "a memo" } },
          { type: "resource", resource: { uri: "memo://2", mimeType: "application/zip", blob: "aGVsbG8=" } },
          { type: "resource_link", uri: "https://example.com/3", name: "third", description: "elsewhere" },
        ],
      };
    case "structured":
      return { content: [], structuredContent: { state: "shipped", lines: [1, 2] } };
    case "long":
      return say("x".repeat(100_000));
    case "steps":
      for (const progress of [1, 2, 3]) {
        send({ method: "notifications/progress", params: { progressToken: meta?.progressToken, progress, total: 3 } });
        await new Promise((resolve) => setTimeout(resolve, Number(input.ms ?? 10)));
      }
      return say("done");
    case "ask_back":
      return say(
        JSON.stringify([
          await ask("sampling/createMessage", { messages: [], maxTokens: 1 }),
          await ask("roots/list", {}),
          await ask("elicitation/create", {
            message: "Your name?",
            requestedSchema: { type: "object", properties: {} },
          }),
        ]),
      );
    case "log":
      send({ method: "notifications/message", params: { level: "warning", data: "nearly full" } });
      return say("logged");
    case "grow":
      tools.push({ name: "grown", description: "New.", inputSchema: { type: "object" } });
      send({ method: "notifications/tools/list_changed" });
      return say("grown");
    default:
      return say(JSON.stringify(input));
  }
}

async function answer(request: Request): Promise<object | undefined> {
  switch (request.method) {
    case "initialize":
      return {
        protocolVersion: "2025-06-18",
        capabilities: { tools: { listChanged: true }, logging: {} },
        serverInfo: { name: "odd", version: "1" },
      };
    case "tools/list": {
      if (mode.tools === "silent") return undefined;
      if (mode.tools === "endless") return { tools: [], nextCursor: String(Number(request.params?.cursor ?? 0) + 1) };
      const from = Number(request.params?.cursor ?? 0);
      const next = from + pageSize;
      return { tools: tools.slice(from, next), ...(next < tools.length && { nextCursor: String(next) }) };
    }
    case "tools/call":
      return call(request);
    default:
      return {};
  }
}

async function receive(line: string): Promise<void> {
  if (mode.log !== undefined) appendFileSync(mode.log, `${line}\n`);
  const request: Request = JSON.parse(line);
  if (request.method === undefined) return asked.get(String(request.id))?.(request);
  if (request.id === undefined || mode["never-shakes-hands"]) return;
  try {
    const result = await answer(request);
    if (result !== undefined) send({ id: request.id, result });
  } catch (error) {
    send({ id: request.id, error: { code: -32603, message: error instanceof Error ? error.message : String(error) } });
  }
}

if (mode.log !== undefined) appendFileSync(mode.log, `{"method":"started","params":${process.pid}}\n`);
if (mode["dies-at-start"]) {
  process.stderr.write("TOKEN is missing\n");
  process.exit(1);
}
if (mode.noisy) {
  process.stdout.write("Welcome!\n{not json\n");
  process.stderr.write("started in ");
  process.stderr.write("12 ms\n");
}
if (mode["leaves-group"] !== undefined) {
  const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
  writeFileSync(mode["leaves-group"], String(child.pid));
  child.unref();
}
if (mode.stays) {
  setInterval(() => {}, 1000);
  process.on("SIGTERM", () => {});
}
createInterface({ input: process.stdin }).on("line", (line) => void receive(line));
