import { totalTokens } from "@bridle/protocol";
import { expect, test } from "vitest";
import { readMessage } from "./messages.ts";
import { resultText, StepTracker } from "./step-tracker.ts";

const usage = { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 5, cache_creation_input_tokens: 2 };
const zero = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Creates a tracker, with functions that send it the host's messages and return the events. */
function track(usdPerToken?: number) {
  const tracker = new StepTracker(({ usage }) =>
    usdPerToken === undefined ? undefined : { usd: totalTokens(usage) * usdPerToken, estimate: false },
  );

  function take(raw: { type: string; [field: string]: unknown }) {
    const message = readMessage(raw);
    if (message.type === "assistant") return tracker.onAssistant(message);
    if (message.type !== "stream_event") return [];
    return tracker.onStream(message.event, message.abandoned_blocks?.from_block_index);
  }
  return {
    tracker,
    stream: (event: object) => take({ type: "stream_event", event }),
    breakOff: (from_block_index: number) =>
      take({ type: "stream_event", event: stop, abandoned_blocks: { from_block_index } }),
    assistant: (id: string, ...content: object[]) =>
      take({ type: "assistant", message: { id, model: "m", content, usage } }),
    synthetic: (text: string) =>
      take({ type: "assistant", message: { id: "s", model: "<synthetic>", content: [{ type: "text", text }] } }),
    result: (tool_use_id: string, content: unknown, is_error?: boolean) =>
      tracker.onToolResults([
        { type: "tool_result", tool_use_id, content, ...(is_error === undefined ? {} : { is_error }) },
      ]),
  };
}

const start = (id: string) => ({ type: "message_start", message: { id, model: "m", usage } });
const delta = (text: string) => ({ type: "content_block_delta", delta: { type: "text_delta", text } });
const thought = (thinking: string) => ({ type: "content_block_delta", delta: { type: "thinking_delta", thinking } });
const stop = { type: "message_stop" };
const text = (words: string) => ({ type: "text", text: words });
const use = (id: string, name: string, input: unknown = {}) => ({ type: "tool_use", id, name, input });

test("a streamed response is one step, from its first event to its last", () => {
  const { stream, assistant, tracker } = track();
  expect(stream(start("a"))).toEqual([{ type: "step.started", model: "m" }]);
  expect(tracker.isStreaming).toBe(true);
  expect(stream(thought("hm"))).toEqual([{ type: "reasoning.delta", text: "hm" }]);
  expect(assistant("a", { type: "thinking", thinking: "hm" })).toEqual([{ type: "reasoning.completed", text: "hm" }]);
  expect(stream(delta("Hel"))).toEqual([{ type: "text.delta", text: "Hel" }]);
  expect(assistant("a", text("Hello"))).toEqual([{ type: "text.completed", text: "Hello" }]);
  expect(assistant("a", use("1", "Bash"), use("2", "Bash"))).toEqual([]);
  expect(stream(stop)).toMatchObject([{ type: "step.finished" }]);
  expect(tracker.isStreaming).toBe(false);
  expect(tracker.closeStep()).toEqual([]);
});

test("several messages of one id are one step, even without streaming", () => {
  const { assistant, tracker } = track();
  expect(assistant("a", text("One"))).toEqual([
    { type: "step.started", model: "m" },
    { type: "text.completed", text: "One" },
  ]);
  expect(assistant("a", text("Two"))).toEqual([{ type: "text.completed", text: "Two" }]);
  expect(tracker.isStreaming).toBe(false);
  const finished = [
    {
      type: "step.finished",
      usage: { inputTokens: 10, outputTokens: 1, cacheReadTokens: 5, cacheWriteTokens: 2 },
    },
  ];
  expect(assistant("b", text("Three")).slice(0, 2)).toEqual([...finished, { type: "step.started", model: "m" }]);
  expect(tracker.closeStep()).toEqual(finished);
});

test("a block that arrives after its step was closed does not begin another", () => {
  const { assistant, tracker } = track();
  assistant("a", use("1", "Bash"));
  tracker.closeStep();
  expect(assistant("a", text("late"))).toEqual([{ type: "text.completed", text: "late" }]);
});

const retry = { type: "retry.scheduled", attempt: 1, maxAttempts: 10, delayMs: 500, reason: "unknown" } as const;
const goesOn = { type: "retry.scheduled", attempt: 1, maxAttempts: 3, delayMs: 0 };

const ofOne = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 5, cacheWriteTokens: 2 };

test("a response that breaks off and is repeated is one step, and the first retry has its tokens and a part of its cost", () => {
  const { stream, breakOff, tracker } = track(1);
  stream(start("a"));
  stream(delta("Half of an"));
  expect(breakOff(0)).toEqual([]);
  expect(tracker.onRetry(retry)).toEqual([
    { ...retry, usage: ofOne, cost: { usd: 18, estimate: false, partial: true } },
  ]);
  expect(tracker.onRetry(retry)).toEqual([retry]);
  expect(stream(start("b"))).toEqual([]);
  expect(stream(delta("The answer"))).toEqual([{ type: "text.delta", text: "The answer" }]);
  expect(stream(stop)).toEqual([{ type: "step.finished", usage: ofOne, cost: { usd: 18, estimate: false } }]);
});

test("a step has the reason why its response ended", () => {
  const { stream } = track();
  stream(start("a"));
  stream({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 1 } });
  expect(stream(stop)).toMatchObject([{ type: "step.finished", finishReason: "tool_use" }]);
});

test("a response that breaks off for good counts once", () => {
  const { stream, breakOff, tracker } = track();
  stream(start("a"));
  breakOff(0);
  expect(tracker.onRetry(retry)).toEqual([{ ...retry, usage: ofOne }]);
  expect(tracker.closeStep()).toEqual([{ type: "step.finished", usage: zero }]);
});

test("a response that breaks off after a call ends its step, with a part of its cost", () => {
  const { stream, assistant, breakOff } = track(1);
  stream(start("a"));
  assistant("a", use("1", "Bash"));
  expect(breakOff(1)).toEqual([
    { type: "step.finished", usage: ofOne, cost: { usd: 18, estimate: false, partial: true } },
  ]);
});

test("a response that continues after its complete blocks is one step, and each retry emits these blocks again", () => {
  const { stream, assistant, breakOff, tracker } = track();
  const kept = { type: "text.completed", text: "I look." };
  stream(start("a"));
  assistant("a", text("I look."));
  stream(delta("Half"));
  breakOff(1);
  expect(stream(start("b"))).toMatchObject([goesOn, kept]);
  stream(delta("Half"));
  breakOff(0);
  expect(tracker.onRetry(retry)).toEqual([{ ...retry, usage: ofOne }, kept]);
  expect(stream(start("c"))).toEqual([]);
  assistant("c", text("Done."));
  breakOff(1);
  expect(stream(start("d"))).toMatchObject([
    { ...goesOn, attempt: 2 },
    kept,
    { type: "text.completed", text: "Done." },
  ]);
  expect(stream(stop)).toMatchObject([{ type: "step.finished" }]);
});

test("a response without an end is one step with the next", () => {
  const { stream } = track();
  stream(start("a"));
  expect(stream(start("b"))).toMatchObject([goesOn]);
});

test("a response that breaks off after a complete call ends its step", () => {
  const { stream, assistant, breakOff } = track();
  stream(start("a"));
  assistant("a", use("1", "Bash"));
  expect(breakOff(1)).toMatchObject([{ type: "step.finished" }]);
  expect(stream(start("b"))).toMatchObject([{ type: "step.started" }]);
});

test("a retry between two responses voids neither", () => {
  const { stream, tracker } = track();
  stream(start("a"));
  stream(stop);
  expect(tracker.onRetry(retry)).toEqual([retry]);
  expect(stream(start("b"))).toMatchObject([{ type: "step.started" }]);
});

test("messages that the host wrote itself are no steps", () => {
  const { synthetic, tracker } = track();
  expect(synthetic("API Error: 500")).toEqual([]);
  expect(tracker.closeStep()).toEqual([]);
});

test("the final usage counts, and its missing or empty fields keep earlier values", () => {
  const { stream, tracker } = track();
  stream(start("a"));
  stream({ type: "message_delta", usage: { output_tokens: 40 } });
  stream({ type: "message_delta", usage: { input_tokens: 0, output_tokens: 50, cache_read_input_tokens: null } });
  stream({ type: "message_delta", usage: null });
  expect(tracker.closeStep()).toEqual([
    { type: "step.finished", usage: { inputTokens: 10, outputTokens: 50, cacheReadTokens: 5, cacheWriteTokens: 2 } },
  ]);
});

test("without token counts the usage is 0", () => {
  const { stream } = track();
  stream({ type: "message_start", message: { id: "a", model: "m", usage: {} } });
  expect(stream(stop)).toEqual([{ type: "step.finished", usage: zero }]);
});

test("empty texts, unknown blocks and unknown deltas emit nothing", () => {
  const { stream, assistant } = track();
  stream(start("a"));
  expect(stream(delta(""))).toEqual([]);
  expect(stream({ type: "content_block_delta", delta: { type: "input_json_delta", partial_json: "{" } })).toEqual([]);
  expect(stream({ type: "ping" })).toEqual([]);
  expect(assistant("a", text(""), { type: "thinking", thinking: "" }, { type: "a_new_block" })).toEqual([]);
});

test("results are matched with their calls in any order, under our tool names", () => {
  const { assistant, result } = track();
  assistant("a", use("1", "mcp__bridle__look", { at: 1 }), use("2", "Bash", { command: "id" }));
  expect(result("2", "<tool_use_error>No such tool</tool_use_error>", true)).toEqual([
    { call: { callId: "2", tool: "Bash", input: { command: "id" } }, isError: true, output: "No such tool" },
  ]);
  expect(result("1", [{ type: "text", text: "seen" }])).toEqual([
    { call: { callId: "1", tool: "look", input: { at: 1 } }, isError: false, output: "seen" },
  ]);
  expect(result("unheard of", "?")).toEqual([]);
});

test("structured output is no tool call; the newest attempt and its problem are kept", () => {
  const { assistant, result, tracker } = track();
  expect(tracker.lastObject).toBeUndefined();
  assistant("a", use("1", "StructuredOutput", { n: "x" }));
  expect(tracker.lastObject).toEqual({ input: { n: "x" } });
  expect(result("1", "/n: must be number", true)).toEqual([]);
  expect(tracker.lastObject).toEqual({ input: { n: "x" }, problem: "/n: must be number" });
  assistant("b", use("2", "StructuredOutput", { n: 1 }));
  expect(result("2", "ok")).toEqual([]);
  expect(tracker.lastObject).toEqual({ input: { n: 1 } });
});

test("an answer that was cut at its token limit is marked until the next one", () => {
  const { stream, tracker } = track();
  stream(start("a"));
  stream({ type: "message_delta", delta: { stop_reason: "max_tokens" }, usage });
  stream(stop);
  expect(tracker.wasCut).toBe(true);
  stream(start("b"));
  expect(tracker.wasCut).toBe(false);
});

test("the text of a tool result is read from every form", () => {
  expect(resultText("plain")).toBe("plain");
  expect(resultText([{ text: "one" }, { type: "image" }, { text: "two" }])).toBe("one\n\ntwo");
  expect(resultText(undefined)).toBe("");
  expect(resultText({ odd: true })).toBe('{"odd":true}');
});
