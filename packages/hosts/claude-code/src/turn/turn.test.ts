import {
  type BackendEvent,
  BudgetExceededError,
  type ConversationSpec,
  createUsageMeter,
  defaultPromptCaching,
  type ToolCall,
  type ToolReply,
  type TurnContext,
} from "@bridle/protocol";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readMessage } from "../messages/messages.ts";
import { Turn } from "./turn.ts";

const call: ToolCall = { callId: "1", tool: "look", input: { at: 1 } };

interface Raw {
  type: string;
  [field: string]: unknown;
}

const silenceMs = 60_000;

/** Begins a turn, and returns it with all events and calls of its context, in order. */
function begin(parts: Partial<ConversationSpec> = {}, meter = createUsageMeter(), does: Partial<TurnContext> = {}) {
  const told: (BackendEvent | { told: string; with: unknown })[] = [];
  const stop = new AbortController();
  const note = (name: string, value: unknown) => void told.push({ told: name, with: value });
  const host: TurnContext = {
    signal: stop.signal,
    emit: (event) => void told.push(event),
    callTool: async (made) => {
      note("callTool", made);
      return { output: "seen", isError: false };
    },
    authorizeHostTool: async (made) => {
      note("authorizeHostTool", made);
      return made.tool === "Read" ? { allow: true } : { allow: false, reply: "no" };
    },
    completeHostTool: (...settled) => note("completeHostTool", settled),
    reportRefused: (...refused) => note("reportRefused", refused),
    awaitLimit: async (error) => Promise.reject(error),
    ...does,
  };
  const spec: ConversationSpec = {
    model: "sonnet",
    system: { static: "", dynamic: "" },
    tools: [],
    builtins: [],
    stepBudget: 5,
    promptCaching: defaultPromptCaching,
    history: [],
    projectDir: "/",
    ...parts,
  };
  const turn = new Turn({ context: host, spec, auth: "session", hasBaseUrl: false, idleTimeoutMs: silenceMs, meter });
  const say = (...messages: Raw[]) => {
    for (const message of messages) turn.receive(readMessage(message));
  };
  return { turn, say, told, stop, names: () => told.map((one) => ("told" in one ? one.told : one.type)) };
}

const stream = (event: object) => ({ type: "stream_event", event });
const started = stream({ type: "message_start", message: { id: "a", model: "m", usage: {} } });
const cutShort = stream({ type: "message_delta", delta: { stop_reason: "max_tokens" } });
const stopped = stream({ type: "message_stop" });
const used = (id: string, name: string) => ({
  type: "assistant",
  message: { id: "a", model: "m", content: [{ type: "tool_use", id, name, input: {} }] },
});
const answered = (tool_use_id: string, content: string, is_error: boolean) => ({
  type: "user",
  message: { content: [{ type: "tool_result", tool_use_id, content, is_error }] },
});
const result = (totals = 0, more: object = {}) => ({
  type: "result",
  subtype: "success",
  is_error: false,
  total_cost_usd: totals,
  modelUsage: {
    one: { inputTokens: totals, outputTokens: 1, cacheReadInputTokens: 2, cacheCreationInputTokens: 3 },
    two: { inputTokens: totals, outputTokens: 1, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
  },
  ...more,
});

test("a result ends a turn, and later messages are ignored", async () => {
  const { turn, say, told } = begin();
  say(result());
  expect(await turn.end).toEqual({ reason: "natural" });
  const before = told.length;
  say(started, result());
  turn.fail(new Error("The iterator threw"));
  expect(told).toHaveLength(before);
  expect(await turn.end).toEqual({ reason: "natural" });
});

test("a tool runs when its response is complete, not before", async () => {
  const { turn, say, names } = begin();
  say(started, used("1", "mcp__bridle__look"));
  const reply = turn.callTool(call);
  await Promise.resolve();
  expect(names()).toEqual(["step.started"]);
  say(stopped);
  expect(await reply).toEqual({ output: "seen", isError: false });
  expect(names()).toEqual(["step.started", "step.finished", "callTool"]);
});

test("without streaming, a response is complete when its first tool is called", async () => {
  const { turn, say, names } = begin();
  say(used("1", "mcp__bridle__look"));
  await turn.callTool(call);
  expect(names()).toEqual(["step.started", "step.finished", "callTool"]);
});

describe("a host that sends nothing", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const past = () => vi.advanceTimersByTime(2 * silenceMs);
  const timeout = { code: "timeout", message: expect.stringContaining("llm.provider.idleTimeoutMs") };

  test("fails its turn, at the start or in the middle", async () => {
    const [silent, stalled] = [begin(), begin()];
    stalled.say(started);
    past();
    await expect(silent.turn.end).rejects.toMatchObject(timeout);
    await expect(stalled.turn.end).rejects.toMatchObject(timeout);
  });

  test("is alive while it sends any message, even an unknown one", async () => {
    const { turn, say } = begin();
    for (let said = 0; said < 5; said++) {
      vi.advanceTimersByTime(silenceMs - 1);
      say({ type: "system", subtype: "thinking_tokens", estimated_tokens: 50 });
    }
    say(result());
    expect(await turn.end).toEqual({ reason: "natural" });
  });

  test("may pause before a retry", async () => {
    const { turn, say } = begin();
    const retry = { type: "system", subtype: "api_retry", attempt: 1, max_retries: 10, error_status: 529 };
    say({ ...retry, error: "overloaded", retry_delay_ms: 10 * silenceMs });
    vi.advanceTimersByTime(10 * silenceMs);
    say(result());
    expect(await turn.end).toEqual({ reason: "natural" });
  });

  test("may wait for one of our tools, but not after it", async () => {
    const reply = Promise.withResolvers<ToolReply>();
    const { turn, say } = begin({}, undefined, { callTool: () => reply.promise });
    say(started, used("1", "mcp__bridle__look"), stopped);
    const replied = turn.callTool(call);
    await Promise.resolve();
    past();
    reply.resolve({ output: "seen", isError: false });
    expect(await replied).toEqual({ output: "seen", isError: false });
    say(answered("1", "seen", false));
    past();
    await expect(turn.end).rejects.toMatchObject(timeout);
  });

  test.each([[{}], [{ parent_tool_use_id: "0" }]])(
    "may run one of its own tools, but not be silent after it (%j)",
    async (within) => {
      const { turn, say, names } = begin();
      say(started, used("1", "Read"), stopped);
      await turn.authorizeHostTool({ ...call, tool: "Read" });
      past();
      say(started); // the message restarts the time
      expect(names().filter((name) => name === "step.started")).toHaveLength(2);
      say(stopped, { ...answered("1", "the file", false), ...within });
      past();
      await expect(turn.end).rejects.toMatchObject(timeout);
    },
  );

  test("fails its turn after a tool that was denied", async () => {
    const { turn, say } = begin();
    say(started, used("1", "Bash"), stopped);
    await turn.authorizeHostTool({ ...call, tool: "Bash" });
    past();
    await expect(turn.end).rejects.toMatchObject(timeout);
  });

  test("leaves no timer once the turn is over", async () => {
    const { say, turn } = begin();
    say(result());
    await turn.end;
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("a call that the host refused is reported after its step, even if the refusal came earlier", () => {
  const { say, told, names } = begin();
  say(started, used("1", "Bash"), answered("1", "No such tool", true), stopped);
  expect(names()).toEqual(["step.started", "step.finished", "reportRefused"]);
  expect(told.at(-1)).toMatchObject({ with: [{ callId: "1", tool: "Bash" }, "No such tool"] });
});

test("an opened host tool is authorized, and completed with its result", async () => {
  const { turn, say, told, names } = begin();
  say(started, used("1", "Read"), stopped);
  expect(await turn.authorizeHostTool({ ...call, tool: "Read" })).toEqual({ allow: true });
  say(answered("1", "the file", false));
  expect(names().slice(-2)).toEqual(["authorizeHostTool", "completeHostTool"]);
  expect(told.at(-1)).toMatchObject({ with: ["1", true, "the file"] });
});

test("a host tool that was denied is not completed", async () => {
  const { turn, say, names } = begin();
  say(started, used("1", "Bash"), stopped);
  expect(await turn.authorizeHostTool({ ...call, tool: "Bash" })).toEqual({ allow: false, reply: "no" });
  say(answered("1", "no", true));
  expect(names()).not.toContain("completeHostTool");
});

test("after the end of a turn no tool is called or authorized", async () => {
  const { turn, say, stop, names } = begin();
  say(started);
  const waiting = turn.callTool(call);
  stop.abort();
  await expect(turn.end).rejects.toMatchObject({ code: "stopped" });
  expect(await waiting).toMatchObject({ isError: true });
  expect(await turn.callTool(call)).toMatchObject({ isError: true });
  expect(await turn.authorizeHostTool({ ...call, tool: "Read" })).toMatchObject({ allow: false });
  expect(names()).toEqual(["step.started"]);
});

test("the process's running totals become the usage of the turn", async () => {
  const meter = createUsageMeter();
  begin({}, meter).say(result(100));
  const { say, told } = begin({}, meter);
  say(result(130));
  expect(told).toEqual([
    {
      type: "usage.reported",
      usage: { inputTokens: 60, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
      cost: { usd: 30, estimate: true },
    },
  ]);
});

test("an answer that is cut at maxOutputTokens ends the turn before the host requests the rest", async () => {
  const { turn, say } = begin({ maxOutputTokens: 50 });
  say(started, cutShort, stopped);
  await expect(turn.end).rejects.toThrow(BudgetExceededError);
  await expect(turn.end).rejects.toThrow("50 tokens");
});

test("without maxOutputTokens the host may request the rest", async () => {
  const { turn, say } = begin();
  say(started, cutShort, stopped, result());
  expect(await turn.end).toEqual({ reason: "natural" });
});

test("an error that the host recovers from does not fail the turn", async () => {
  const { turn, say } = begin();
  const failed = { type: "assistant", error: "server_error", message: { id: "x", model: "<synthetic>", content: [] } };
  say(failed, used("1", "mcp__bridle__look"), result());
  expect(await turn.end).toEqual({ reason: "natural" });
});

test("retries, limits and notices of the host become events", () => {
  const { say, told } = begin();
  const retry = { type: "system", subtype: "api_retry", attempt: 1, max_retries: 10, retry_delay_ms: 500 };
  const limit = (info: object) => ({ type: "rate_limit_event", rate_limit_info: info });
  say(
    { ...retry, error_status: 529, error: "overloaded" },
    { ...retry, error_status: null, error: "timeout" },
    limit({ status: "allowed" }),
    limit({ status: "allowed_warning", rateLimitType: "seven_day", resetsAt: 10, utilization: 0.9 }),
    limit({ status: "rejected" }),
    { type: "system", subtype: "informational", content: "Careful", level: "warning" },
    { type: "system", subtype: "informational", content: "By the way", level: "suggestion" },
  );
  const scheduled = { type: "retry.scheduled", attempt: 1, maxAttempts: 10, delayMs: 500 };
  expect(told).toEqual([
    { ...scheduled, reason: "overloaded", status: 529 },
    { ...scheduled, reason: "timeout" },
    { type: "limit.warned", window: "seven_day", resetsAt: 10_000, utilization: 0.9 },
    { type: "limit.reached", window: "subscription" },
    { type: "notice", level: "warning", code: "host", message: "Careful" },
    { type: "notice", level: "info", code: "host", message: "By the way" },
  ]);
});

test("a retry without a status and a known reason reports that no answer came", () => {
  const { say, told } = begin();
  const retry = { type: "system", subtype: "api_retry", attempt: 1, max_retries: 10, retry_delay_ms: 500 };
  say({ ...retry, error_status: null, error: "unknown" }, { ...retry, error_status: 418, error: "unknown" });
  expect(told).toMatchObject([{ reason: "no answer from the model service" }, { reason: "unknown", status: 418 }]);
});

test("a credential that is refused three times fails the turn, even if the host would retry", async () => {
  const { turn, say, names } = begin();
  const retry = { type: "system", subtype: "api_retry", max_retries: 10, retry_delay_ms: 500 };
  for (const attempt of [1, 2, 3]) say({ ...retry, attempt, error_status: 401, error: "authentication_failed" });
  await expect(turn.end).rejects.toThrow('Claude Code was refused: status 401 (auth: session). Run "claude"');
  expect(names()).toEqual(["retry.scheduled", "retry.scheduled"]);
});

test("a subagent's responses are no steps of the turn, but its refused calls are reported", () => {
  const { say, told } = begin();
  const within = { parent_tool_use_id: "1" };
  say({ ...started, ...within }, { ...used("2", "Bash"), ...within }, { ...answered("2", "no", true), ...within });
  expect(told).toEqual([{ told: "reportRefused", with: [{ callId: "2", tool: "Bash", input: {} }, "no"] }]);
});

test("an error that is not a BridleError becomes a crash with its cause", async () => {
  const { turn } = begin();
  const cause = new Error("The pipe broke");
  turn.fail(cause);
  await expect(turn.end).rejects.toMatchObject({ code: "backend_crash", cause });
  await expect(turn.end).rejects.toThrow("The pipe broke");
});
