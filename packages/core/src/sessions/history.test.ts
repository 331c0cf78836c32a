import { createMemoryBackend, type ScriptedStep } from "@bridle/conformance";
import {
  buildHistory,
  buildTranscript,
  type EventDraft,
  type HistoryMessage,
  type HistoryPart,
  InvalidRequestError,
  type RunEvent,
  transcriptToHistory,
} from "@bridle/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fingerprintHistory } from "../run/fingerprint.ts";
import { begin, createTestTool } from "../runtime/runs-for-tests.ts";
import { checkHistory } from "./check-history.ts";

const input = { type: "model.input", turn: 1, sha256: "0", artifact: "0", implicitSources: [], hostAdds: [] } as const;
const asked = (text: string): EventDraft => ({ ...input, messages: [{ role: "user", content: text }] });
const step: EventDraft = { type: "step.started", index: 1 };
const said = (text: string): EventDraft => ({ type: "text.completed", text });
const requested = (callId: string, given: unknown = {}): EventDraft => ({
  type: "tool.requested",
  callId,
  tool: "look",
  input: given,
  inputHash: "0",
});
const answered = (callId: string, output: string): EventDraft => ({
  type: "tool.finished",
  callId,
  ok: true,
  durationMs: 1,
  output,
});

function placed(drafts: readonly EventDraft[]): RunEvent[] {
  return drafts.map((each, index) => ({ ...each, seq: index + 1, time: 0, runId: "run_1" }));
}

const historyOfDrafts = (...drafts: EventDraft[]) => buildHistory(placed(drafts));
const user = (text: string): HistoryMessage => ({ role: "user", content: [{ type: "text", text }] });
const call = (callId: string): HistoryPart => ({ type: "tool-call", callId, tool: "look", input: {} });
const result = (callId: string, output: string, isError = false): HistoryPart => ({
  type: "tool-result",
  callId,
  output,
  isError,
});

describe("a history", () => {
  const text = fc.string({ unit: "binary", minLength: 1, maxLength: 12 }).filter((each) => each.trim() !== "");
  const steps: fc.Arbitrary<ScriptedStep> = fc.record(
    {
      think: text,
      say: text,
      calls: fc.array(
        fc.oneof(
          fc.record({ tool: fc.constant("look"), input: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }) }),
          fc.record({ tool: fc.constantFrom("look", "broken", "missing"), input: fc.oneof(text, fc.integer()) }),
        ),
        { minLength: 1, maxLength: 3 },
      ),
    },
    { requiredKeys: ["calls"] },
  );

  test("equals the messages to and from the model byte for byte, for all calls and outcomes", async () => {
    const look = createTestTool("look", async (given) => `found ${JSON.stringify(given)} \u0000 ünïcødé 🐎`);
    const broken = createTestTool("broken", async () => {
      throw new Error("out of order");
    });
    await fc.assert(
      fc.asyncProperty(text, fc.array(steps, { maxLength: 4 }), text, async (prompt, before, answer) => {
        const backend = createMemoryBackend([{ steps: [...before, { say: answer }] }]);
        const run = begin(backend, { prompt, tools: [look, broken] });
        const events: RunEvent[] = [];
        for await (const event of run) events.push(event);
        const told = [
          ...(backend.sent.at(-1)?.messages ?? []),
          { role: "assistant", content: [{ type: "text", text: answer }] },
        ];
        const replayed: RunEvent[] = JSON.parse(JSON.stringify(events));
        expect(JSON.stringify(buildHistory(events))).toBe(JSON.stringify(told));
        expect(buildHistory(replayed)).toEqual(buildHistory(events));
      }),
      { numRuns: 60 },
    );
  });

  test("has one message for the calls of one response, and one for their results, in the order of the calls", () => {
    const history = historyOfDrafts(
      asked("go"),
      step,
      said("Two."),
      requested("1"),
      requested("2"),
      answered("2", "b"),
      answered("1", "a"),
      step,
      requested("3"),
      answered("3", "c"),
      step,
      said("Done."),
    );
    expect(history).toEqual([
      user("go"),
      { role: "assistant", content: [{ type: "text", text: "Two." }, call("1"), call("2")] },
      { role: "user", content: [result("1", "a"), result("2", "b")] },
      { role: "assistant", content: [call("3")] },
      { role: "user", content: [result("3", "c")] },
      { role: "assistant", content: [{ type: "text", text: "Done." }] },
    ]);
  });

  test("gives a call without an outcome a result: not executed, or unknown if the call had started", () => {
    const history = historyOfDrafts(asked("go"), step, requested("1"), requested("2"), {
      type: "tool.started",
      callId: "2",
    } as const);
    expect(history.at(-1)?.content).toEqual([
      result("1", "This call was not executed.", true),
      result("2", "The run ended during this call. It is not known whether the call had an effect.", true),
    ]);
  });

  test("keeps the text of a stopped run, and leaves out a response that broke off and was repeated", () => {
    const piece: EventDraft = { type: "text.delta", text: "Once upon" };
    expect(historyOfDrafts(asked("go"), step, piece, asked("on"))).toEqual([
      user("go"),
      { role: "assistant", content: [{ type: "text", text: "Once upon" }] },
      user("on"),
    ]);
    expect(historyOfDrafts(asked("go"), step, piece, step, said("Once."))).toEqual([
      user("go"),
      { role: "assistant", content: [{ type: "text", text: "Once." }] },
    ]);
  });

  test("has no empty message, no reasoning, and only objects as inputs", () => {
    const history = historyOfDrafts(
      asked("go"),
      step,
      { type: "reasoning.completed", text: "Hm." } as const,
      said(" \n"),
      step,
      requested("1", "tex"),
      answered("1", ""),
    );
    expect(history).toEqual([
      user("go"),
      { role: "assistant", content: [{ ...call("1"), input: { malformed: "tex" } }] },
      { role: "user", content: [result("1", "")] },
    ]);
  });

  test("has ids that are unique and valid for every host, even if runs repeat theirs", () => {
    const long = "x".repeat(60);
    const once = [
      asked("go"),
      step,
      requested("call#1"),
      requested(long),
      answered("call#1", "a"),
      answered(long, "b"),
    ];
    const history = historyOfDrafts(
      ...once,
      ...once.map((draft) => (draft.type === "tool.finished" ? { ...draft, output: `${draft.output}!` } : draft)),
    );
    const parts = history.flatMap(({ content }) => content);
    const calls = parts.flatMap((part) => (part.type === "tool-call" ? [part.callId] : []));
    const results = parts.flatMap((part) => (part.type === "tool-result" ? [part.output] : []));
    expect(new Set(calls).size).toBe(4);
    for (const id of calls) expect(id).toMatch(/^[A-Za-z0-9_-]{1,40}$/);
    expect(results).toEqual(["a", "b", "a!", "b!"]);
  });

  test("starts again when it is replaced, but the transcript keeps the earlier entries", () => {
    const messages: HistoryMessage[] = [
      user("short"),
      { role: "assistant", content: [call("1")] },
      { role: "user", content: [result("1", "kept")] },
    ];
    const replaced: EventDraft = { type: "history.replaced", reason: "edited", messages };
    const events = placed([
      asked("go"),
      step,
      said("Long."),
      replaced,
      asked("on"),
      step,
      requested("1"),
      answered("1", "x"),
    ]);
    expect(buildHistory(events)).toEqual([
      ...messages,
      user("on"),
      { role: "assistant", content: [call("1-2")] },
      { role: "user", content: [result("1-2", "x")] },
    ]);
    expect(buildTranscript(events).entries.some((entry) => entry.kind === "text" && entry.text === "Long.")).toBe(true);
    expect(transcriptToHistory(buildTranscript(events))).toEqual(buildHistory(events));
  });

  test("has a fingerprint that changes with every reply and every result, and with nothing else", () => {
    const of = (...drafts: EventDraft[]) => fingerprintHistory(historyOfDrafts(asked("go"), step, ...drafts));
    const base = of(said("Yes."), requested("1"), answered("1", "a"));
    expect(
      of(said("Yes."), requested("1"), answered("1", "a"), { type: "notice", level: "info", code: "c", message: "m" }),
    ).toBe(base);
    const others = [
      of(said("No."), requested("1"), answered("1", "a")),
      of(said("Yes."), requested("1"), answered("1", "b")),
      of(said("Yes."), requested("1", { n: 1 }), answered("1", "a")),
      of(said("Yes."), requested("1"), { type: "tool.denied", callId: "1", output: "a" }),
    ];
    expect(new Set([base, ...others]).size).toBe(5);
  });
});

const say = (text: string): HistoryMessage => ({ role: "assistant", content: [{ type: "text", text }] });
const turn = (id: string, tool = "look"): HistoryMessage[] => [
  { role: "assistant", content: [{ type: "tool-call", callId: id, tool, input: {} }] },
  { role: "user", content: [result(id, "seen")] },
];

describe("a history of the caller", () => {
  test("gets plain, short and unique ids, and the names of tools that the model sees", () => {
    const long = "x".repeat(65);
    const history = [
      user("Go"),
      ...turn("call:1|ä", "shop.look up"),
      ...turn("call_1__"),
      ...turn(long),
      ...turn(""),
      ...turn("call_1__"),
    ];
    const checked = checkHistory(history);
    const parts = checked.flatMap(({ content }) => content);
    const calls = parts.flatMap((part) => (part.type === "tool-call" ? [part] : []));
    const results = parts.flatMap((part) => (part.type === "tool-result" ? [part.callId] : []));
    expect(calls.map(({ callId }) => callId)).toEqual(["call_1__", "call_1__-2", "x".repeat(40), "call", "call_1__-3"]);
    expect(results).toEqual(calls.map(({ callId }) => callId));
    expect(calls.map(({ tool }) => tool)).toEqual(["shop_look_up", "look", "look", "look", "look"]);
    expect(checkHistory(checked)).toEqual(checked);
  });

  test("loses blank texts beside other parts, and results come first in their message", () => {
    const content = [{ type: "text" as const, text: " \n" }, { type: "text" as const, text: "And?" }, result("1", "")];
    const [, , last] = checkHistory([
      user("Go"),
      { role: "assistant", content: [call("1")] },
      { role: "user", content },
    ]);
    expect(last?.content).toEqual([result("1", ""), { type: "text", text: "And?" }]);
  });

  const image: HistoryPart = { type: "image", mediaType: "image/png", data: "AAAA" };
  test.each<[string, HistoryMessage[], string]>([
    ["begins with the assistant", [say("Hello"), user("Go")], "messages[0] is the assistant's"],
    [
      "has a call without a result at its end",
      [user("Go"), ...turn("1").slice(0, 1)],
      "messages[1] has the call 1 without a result",
    ],
    [
      "has a call without a result before its end",
      [user("Go"), ...turn("1").slice(0, 1), user("a")],
      'messages[1] has the call "1", but the next message has no result for it',
    ],
    [
      "has a result without a call",
      [user("Go"), say("Fine"), ...turn("1").slice(1)],
      'messages[2] has a result of "1", but the message before has no such call',
    ],
    [
      "has an id twice in a message",
      [user("Go"), { role: "assistant", content: [call("1"), call("1")] }],
      'messages[1] has the id "1" twice',
    ],
    ["has a blank message", [user("Go"), say(" \n")], "messages[1] has no text"],
    ["has an empty message", [user("Go"), { role: "assistant", content: [] }], "[1].content"],
    [
      "has an image of the assistant",
      [user("Go"), { role: "assistant", content: [image] }],
      "messages[1] of the assistant has a part of type image, which only the user can have",
    ],
    [
      "has a call of the user",
      [{ role: "user", content: [call("1")] }],
      "messages[0] of the user has a part of type tool-call, which only the assistant can have",
    ],
    [
      "has a result of the assistant",
      [user("Go"), { role: "assistant", content: [result("1", "a")] }],
      "messages[1] of the assistant has a part of type tool-result",
    ],
    ["has a call without a name", [user("Go"), ...turn("1", " ")], "messages[1] has a call without the name"],
    ["has half of a surrogate pair", [user("Go"), say("\uD83D")], "messages[1] contains half of a surrogate pair"],
  ])("is refused with the position of the message if it %s", (_what, history, problem) => {
    expect(() => checkHistory(history)).toThrow(InvalidRequestError);
    expect(() => checkHistory(history)).toThrow(problem);
  });
});
