/** Tests messages and calls that arrive after a process's conversation is over. The real process cannot be made to send them. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Query, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { type BackendEvent, type ConversationSpec, defaultPromptCaching, type ToolReply } from "@bridle/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import type { HostParts } from "../boundary/host-options.ts";
import { connectToTools } from "../tools/tool-client-for-tests.ts";
import { Turn } from "../turn/turn.ts";
import type { HostProcess } from "./host-process.ts";
import { InputQueue } from "./input-queue.ts";
import { openHostProcess } from "./sdk-host-process.ts";

const host = vi.hoisted(() => ({ start: undefined as unknown, rewind: async (): Promise<boolean> => true }));
vi.mock("../boundary/start-host.ts", () => ({
  startHost: (...start: unknown[]) => (host.start as (...parts: unknown[]) => unknown)(...start),
  rewindHost: () => host.rewind(),
}));

const spec: ConversationSpec = {
  model: "sonnet",
  system: { static: "", dynamic: "" },
  builtins: [],
  stepBudget: 5,
  promptCaching: defaultPromptCaching,
  history: [],
  projectDir: "/",
  tools: [{ name: "look", description: "Looks.", inputSchema: { type: "object" }, annotations: {} }],
};

const init = {
  type: "system",
  subtype: "init",
  plugins: [],
  apiKeySource: "none",
  claude_code_version: "2.1.330",
  tools: ["mcp__bridle__look"],
  mcp_servers: [{ name: "bridle", status: "connected" }],
};
const result = { type: "result", subtype: "success", is_error: false, total_cost_usd: 0, modelUsage: {} };
const words = (text: string) => ({
  type: "assistant",
  message: { id: randomUUID(), model: "m", content: [{ type: "text", text }], usage: null },
});

/** Opens a process whose host sends the test's messages. */
async function open() {
  const TMPDIR = await mkdtemp(join(tmpdir(), "bridle-session-"));
  const says = new InputQueue<{ type: string }>();
  let parts: HostParts | undefined;
  const sent: SDKUserMessage[] = [];
  host.rewind = async () => true;
  host.start = (prompt: AsyncIterable<SDKUserMessage>, given: HostParts) => {
    parts = given;
    void (async () => {
      for await (const message of prompt) sent.push(message);
      says.end();
    })();
    const query: Pick<Query, "close"> = { close: () => says.end() };
    return Object.assign(says[Symbol.asyncIterator](), query, {
      [Symbol.asyncIterator]: () => says[Symbol.asyncIterator](),
    });
  };
  const session = openHostProcess({ spec, auth: "session", environment: { TMPDIR } });
  onTestFinished(() => session.close(0).then(() => rm(TMPDIR, { recursive: true })));
  const server = parts?.tools.config;
  if (!server) throw new Error("the host was not started");
  return { session, sent, say: (message: { type: string }) => says.push(message), ...(await connectToTools(server)) };
}

/** Begins a turn with a tool that replies when the test resolves `reply`. */
function begin(session: HostProcess) {
  const events: BackendEvent[] = [];
  const calls: string[] = [];
  const reply = Promise.withResolvers<ToolReply>();
  const turn = new Turn({
    spec,
    auth: "session",
    hasBaseUrl: false,
    idleTimeoutMs: 60_000,
    meter: session.meter,
    context: {
      signal: new AbortController().signal,
      completeHostTool() {},
      reportRefused() {},
      emit: (event) => void events.push(event),
      async callTool({ callId }) {
        calls.push(callId);
        return reply.promise;
      },
      authorizeHostTool: async () => ({ allow: false, reply: "" }),
      awaitLimit: async (error) => Promise.reject(error),
    },
  });
  session.begin({ type: "user", parent_tool_use_id: null, message: { role: "user", content: "Go" } }, turn);
  return { turn, events, calls, reply };
}

const call = { name: "look", arguments: {} };
const ticks = () => new Promise((resolve) => setTimeout(resolve, 5));

/** Completes a conversation of one turn that ends well. */
async function completeTurn({ session, say }: Awaited<ReturnType<typeof open>>) {
  const begun = begin(session);
  say(init);
  say(words("Hello"));
  say(result);
  await begun.turn.end;
  return begun;
}

test("a process rewinds after a conversation that ended well, and serves another", async () => {
  const context = await open();
  await completeTurn(context);
  expect(context.session.hasResponded).toBe(true);
  expect(await context.session.rewind()).toBe(true);
  expect(context.session.hasResponded).toBe(false);
  const { events } = await completeTurn(context);
  expect(events.filter(({ type }) => type === "text.completed")).toHaveLength(1);
  const ids = context.sent.map(({ uuid }) => uuid);
  expect(new Set(ids).size).toBe(2);
  expect(ids).not.toContain(undefined);
});

test("a process does not rewind while a tool call is running", async () => {
  const context = await open();
  const { turn, reply, calls } = begin(context.session);
  context.say(init);
  const answer = context.request("tools/call", call);
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  context.say(result);
  await turn.end;
  expect(await context.session.rewind()).toBe(false);
  reply.resolve({ output: "late", isError: false });
  await answer;
});

test("a process does not rewind after a tool was added", async () => {
  const context = await open();
  const { turn, reply } = begin(context.session);
  context.say(init);
  const answer = context.request("tools/call", call);
  const [offer] = spec.tools;
  reply.resolve({ output: "-", isError: false, ...(offer && { addedTool: { ...offer, name: "read_result" } }) });
  await vi.waitFor(() => expect(context.notifications).toContain("notifications/tools/list_changed"));
  await context.request("tools/list");
  await answer;
  context.say(result);
  await turn.end;
  expect(await context.session.rewind()).toBe(false);
});

test("a process does not rewind if the host refuses", async () => {
  const context = await open();
  await completeTurn(context);
  host.rewind = async () => false;
  expect(await context.session.rewind()).toBe(false);
});

test.each([
  ["words", words("Late")],
  ["a result", result],
])("a process that sends %s during a rewind fails and ends", async (_what, late) => {
  const context = await open();
  await completeTurn(context);
  host.rewind = async () => {
    context.say(late);
    return true;
  };
  expect(await context.session.rewind()).toBe(false);
  await context.session.gone;
});

test("an idle process that sends messages of a turn ends, and the next turn does not receive them", async () => {
  const context = await open();
  await completeTurn(context);
  await context.session.rewind();
  context.say(words("Late"));
  await context.session.gone;
  const { turn, events } = begin(context.session);
  await expect(turn.end).rejects.toMatchObject({ code: "backend_crash" });
  expect(events).toEqual([]);
});

test("a tool call without a turn in progress is not executed, not even in the next turn", async () => {
  const context = await open();
  await completeTurn(context);
  await context.session.rewind();
  const answer = await context.request("tools/call", call);
  const { calls } = begin(context.session);
  context.say(init);
  expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("No turn") }] });
  await ticks();
  expect(calls).toEqual([]);
});

test("in each conversation, tools wait until the host has reported its configuration again", async () => {
  const context = await open();
  await completeTurn(context);
  await context.session.rewind();
  const { turn, calls } = begin(context.session);
  void context.request("tools/call", call);
  await ticks();
  expect(calls).toEqual([]);
  context.say({ ...init, tools: ["mcp__bridle__look", "Bash"] } as { type: string });
  await expect(turn.end).rejects.toMatchObject({ code: "boundary" });
  expect(calls).toEqual([]);
  await context.session.gone;
});
