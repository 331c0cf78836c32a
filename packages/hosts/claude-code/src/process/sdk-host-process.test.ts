/** What a process may still say or call when its conversation is over; the real one cannot be made to do it. */
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
  ...{ model: "sonnet", system: { static: "", dynamic: "" }, builtins: [], stepBudget: 5 },
  ...{ promptCaching: defaultPromptCaching, history: [], projectDir: "/" },
  tools: [{ name: "look", description: "Looks.", inputSchema: { type: "object" }, annotations: {} }],
};

const init = {
  ...{ type: "system", subtype: "init", plugins: [], apiKeySource: "none", claude_code_version: "2.1.330" },
  ...{ tools: ["mcp__bridle__look"], mcp_servers: [{ name: "bridle", status: "connected" }] },
};
const result = { type: "result", subtype: "success", is_error: false, total_cost_usd: 0, modelUsage: {} };
const words = (text: string) => ({
  type: "assistant",
  message: { id: randomUUID(), model: "m", content: [{ type: "text", text }], usage: null },
});

/** A session whose host says what the test tells it to say. */
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

/** Begins a turn; its tool replies when the test says so. */
function begin(session: HostProcess) {
  const events: BackendEvent[] = [];
  const calls: string[] = [];
  const reply = Promise.withResolvers<ToolReply>();
  const turn = new Turn({
    ...{ spec, auth: "session", hasBaseUrl: false, idleTimeoutMs: 60_000, meter: session.meter },
    context: {
      ...{ signal: new AbortController().signal, completeHostTool() {}, reportRefused() {} },
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

/** A conversation of one turn that ended well. */
async function converse({ session, say }: Awaited<ReturnType<typeof open>>) {
  const begun = begin(session);
  say(init);
  say(words("Hello"));
  say(result);
  await begun.turn.end;
  return begun;
}

test("a conversation that ended well is taken back, and another begins as the first did", async () => {
  const stage = await open();
  await converse(stage);
  expect(stage.session.hasResponded).toBe(true);
  expect(await stage.session.rewind()).toBe(true);
  expect(stage.session.hasResponded).toBe(false);
  const { events } = await converse(stage);
  expect(events.filter(({ type }) => type === "text.completed")).toHaveLength(1);
  const ids = stage.sent.map(({ uuid }) => uuid);
  expect(new Set(ids).size).toBe(2);
  expect(ids).not.toContain(undefined);
});

test("a process whose tool has not returned yet is not taken back", async () => {
  const stage = await open();
  const { turn, reply, calls } = begin(stage.session);
  stage.say(init);
  const answer = stage.request("tools/call", call);
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  stage.say(result);
  await turn.end;
  expect(await stage.session.rewind()).toBe(false);
  reply.resolve({ output: "late", isError: false });
  await answer;
});

test("nor one that was offered another tool", async () => {
  const stage = await open();
  const { turn, reply } = begin(stage.session);
  stage.say(init);
  const answer = stage.request("tools/call", call);
  const [offer] = spec.tools;
  reply.resolve({ output: "-", isError: false, ...(offer && { addedTool: { ...offer, name: "read_result" } }) });
  await vi.waitFor(() => expect(stage.notifications).toContain("notifications/tools/list_changed"));
  await stage.request("tools/list");
  await answer;
  stage.say(result);
  await turn.end;
  expect(await stage.session.rewind()).toBe(false);
});

test("nor one that refuses to go back", async () => {
  const stage = await open();
  await converse(stage);
  host.rewind = async () => false;
  expect(await stage.session.rewind()).toBe(false);
});

test.each([
  ["words", words("Late")],
  ["a result", result],
])("a process that says %s while it is taken back is not, and is ended", async (_what, late) => {
  const stage = await open();
  await converse(stage);
  host.rewind = async () => {
    stage.say(late);
    return true;
  };
  expect(await stage.session.rewind()).toBe(false);
  await stage.session.gone;
});

test("one that says anything of a turn while it waits is ended, and a call that comes then hears nothing of it", async () => {
  const stage = await open();
  await converse(stage);
  await stage.session.rewind();
  stage.say(words("Late"));
  await stage.session.gone;
  const { turn, events } = begin(stage.session);
  await expect(turn.end).rejects.toMatchObject({ code: "backend_crash" });
  expect(events).toEqual([]);
});

test("a tool that is called while no turn is in progress is not run, nor is it in the next one", async () => {
  const stage = await open();
  await converse(stage);
  await stage.session.rewind();
  const answer = await stage.request("tools/call", call);
  const { calls } = begin(stage.session);
  stage.say(init);
  expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("No turn") }] });
  await ticks();
  expect(calls).toEqual([]);
});

test("in every conversation tools wait until the host has shown anew that it came up as asked", async () => {
  const stage = await open();
  await converse(stage);
  await stage.session.rewind();
  const { turn, calls } = begin(stage.session);
  void stage.request("tools/call", call);
  await ticks();
  expect(calls).toEqual([]);
  stage.say({ ...init, tools: ["mcp__bridle__look", "Bash"] } as { type: string });
  await expect(turn.end).rejects.toMatchObject({ code: "boundary" });
  expect(calls).toEqual([]);
  await stage.session.gone;
});
