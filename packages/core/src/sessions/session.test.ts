import { createMemoryBackend, type MemoryBackend, type ScriptedModel } from "@bridle/conformance";
import {
  type AgentRun,
  type AgentRuntime,
  buildHistory,
  ContextOverflowError,
  type HistoryMessage,
  InvalidRequestError,
  type Policy,
  type RunEvent,
  type SessionRequest,
  type ToolContext,
} from "@bridle/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMemoryEventLog } from "../event-log/memory-event-log.ts";
import { createTestTool } from "../runtime/runs-for-tests.ts";
import { createAgentRuntime, type RuntimeOptions } from "../runtime/runtime.ts";

const look = createTestTool("look", async () => `found ${"x".repeat(300)}`);
const call = { tool: "look", input: { at: 1 } };
const talk: ScriptedModel = [{ steps: [{ calls: [call, call] }, { say: "Answered." }] }];
const overflow: ScriptedModel[number]["steps"][number] = { fail: "context-overflow" };

function runtimeOn(backend: MemoryBackend, options: Partial<RuntimeOptions> = {}): AgentRuntime {
  return createAgentRuntime({ backend, models: { default: "m" }, ...options });
}

const request: SessionRequest = { tools: [look], stepBudget: 9 };

async function eventsOf(run: AgentRun): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

const user = (text: string): HistoryMessage => ({ role: "user", content: [{ type: "text", text }] });
const textsIn = (history: readonly HistoryMessage[]) =>
  history.flatMap(({ content }) => content.flatMap((part) => (part.type === "text" ? [part.text] : [])));
const textsOf = (backend: MemoryBackend) => backend.sent.at(-1)?.texts ?? [];

describe("a session", () => {
  test("sends the model the whole earlier conversation byte for byte, even after a restart", async () => {
    const record = createMemoryEventLog();
    const backend = createMemoryBackend(talk);
    const first = await runtimeOn(backend, { eventLog: record }).openSession({ ...request, id: "mine" });
    await (await first.send("One")).result;
    await (await first.send("Two")).result;
    const again = await runtimeOn(backend, { eventLog: record }).openSession({ ...request, id: "mine" });
    expect(again.history()).toEqual(first.history());
    await (await again.send("Three")).result;
    const told = backend.sent.at(-1)?.messages ?? [];
    const answer: HistoryMessage = { role: "assistant", content: [{ type: "text", text: "Answered." }] };
    expect(buildHistory(await record.read({ sessionId: "mine" }))).toEqual([...told, answer]);
    expect(told.filter(({ content }) => content.some(({ type }) => type === "tool-result"))).toHaveLength(3);
    expect(again.totals).toMatchObject({ runs: 3, steps: 6, toolCalls: 6 });
    expect(again.steps).toBe(6);
  });

  test("has one gapless sequence of events, each with its run and the session", async () => {
    const record = createMemoryEventLog();
    const session = await runtimeOn(createMemoryBackend(talk), { eventLog: record }).openSession({
      ...request,
      id: "s",
      labels: { a: "1" },
    });
    const runs = [await session.send("One"), await session.send("Two", { labels: { b: "2" } })];
    await Promise.all(runs.map(({ result }) => result));
    const events = await record.read({ sessionId: "s" });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(new Set(events.map(({ runId }) => runId))).toEqual(new Set(runs.map(({ id }) => id)));
    const starts = events.filter((event) => event.type === "run.started");
    expect(starts.map(({ labels }) => labels)).toEqual([{ a: "1" }, { a: "1", b: "2" }]);
    const inputs = events.filter((event) => event.type === "model.input");
    expect(inputs.map(({ messages }) => messages)).toEqual([[user("One")], [user("Two")]]);
    expect(inputs.map(({ history }) => history?.messages)).toEqual([undefined, 4]);
  });

  test("keeps its rules, budget and folder if an option of send is undefined", async () => {
    const policy: Policy = { id: "no", evaluate: () => ({ decision: "deny", rule: "no", reason: "Not today." }) };
    const session = await runtimeOn(createMemoryBackend(talk)).openSession({ ...request, policy, stepBudget: 1 });
    const nothing = { policy: undefined, approve: undefined, stepBudget: undefined, projectDir: undefined };
    const run = await session.send("One", { ...nothing, labels: undefined, signal: undefined, whenBusy: undefined });
    const { toolFailures, stopReason } = await run.result;
    expect({ toolFailures, stopReason }).toEqual({ toolFailures: 2, stopReason: "budget" });
  });

  test("has one run at a time: a second waits, or fails if whenBusy is fail", async () => {
    const session = await runtimeOn(createMemoryBackend(talk)).openSession(request);
    const first = await session.send("One");
    const second = session.send("Two");
    await expect(session.send("Three", { whenBusy: "fail" })).rejects.toThrow("has a run in progress");
    const aborted = session.send("Four", { signal: AbortSignal.abort(new Error("not now")) });
    await expect(aborted).rejects.toThrow("not now");
    const ends: string[] = [];
    void first.result.then(() => ends.push("first"));
    await (await second).result;
    expect(ends).toEqual(["first"]);
    await (await session.send("Five", { whenBusy: "fail" })).result;
    expect(session.totals.runs).toBe(3);
  });

  test("has one run at a time even if it is opened twice in one runtime", async () => {
    const runtime = runtimeOn(createMemoryBackend(talk));
    const [one, two] = [
      await runtime.openSession({ ...request, id: "s" }),
      await runtime.openSession({ ...request, id: "s" }),
    ];
    await one.send("One");
    await expect(two.send("Two", { whenBusy: "fail" })).rejects.toThrow(InvalidRequestError);
    await (await two.send("Two")).result;
    await one.refresh();
    expect(one.history()).toEqual(two.history());
    expect(one.totals.runs).toBe(2);
  });

  test("gives a run the id that its caller chose, and refuses an id that cannot be in an address", async () => {
    const session = await runtimeOn(createMemoryBackend(talk)).openSession(request);
    const run = await session.send("One", { runId: "run_chosen-1" });
    expect(run.id).toBe("run_chosen-1");
    for await (const { runId } of run) expect(runId).toBe("run_chosen-1");
    await expect(session.send("Two", { runId: "a/b" })).rejects.toThrow("The id of a run has 1 to 128 letters");
    expect((await (await session.send("Two")).result).stopReason).toBe("natural");
  });

  test("continues after a run that was stopped, with the text so far", async () => {
    const backend = createMemoryBackend([
      { prompt: "Wait", steps: [{ say: "Half", stall: true }] },
      { prompt: "Go on", steps: [{ say: "Whole." }] },
    ]);
    const session = await runtimeOn(backend).openSession(request);
    const run = await session.send("Wait");
    for await (const event of run) if (event.type === "text.completed") run.stop();
    expect((await run.result).stopReason).toBe("stopped");
    expect((await (await session.send("Go on")).result).text).toBe("Whole.");
    expect(backend.sent.at(-1)?.messages).toEqual([
      user("Wait"),
      { role: "assistant", content: [{ type: "text", text: "Half" }] },
      user("Go on"),
    ]);
  });

  test("continues after a run that was stopped during a call, with a result for the call", async () => {
    const backend = createMemoryBackend([
      { prompt: "Wait", steps: [{ calls: [call] }] },
      { prompt: "Go on", steps: [{ say: "Whole." }] },
    ]);
    const slow = createTestTool("look", (_input, { signal }: ToolContext) => untilAborted(signal));
    const session = await runtimeOn(backend).openSession({ ...request, tools: [slow] });
    const run = await session.send("Wait");
    for await (const event of run) if (event.type === "tool.started") run.stop();
    await (await session.send("Go on")).result;
    expect(backend.sent.at(-1)?.messages[2]?.content).toMatchObject([{ type: "tool-result", isError: true }]);
  });

  test("is closed with its run, and can be opened again", async () => {
    const backend = createMemoryBackend([
      { prompt: "Wait", steps: [{ stall: true }] },
      { prompt: "Hello", steps: [{ say: "Hi." }] },
    ]);
    const runtime = runtimeOn(backend);
    const session = await runtime.openSession({ ...request, id: "s" });
    const run = await session.send("Wait");
    await session.close();
    expect((await run.result).stopReason).toBe("stopped");
    await expect(session.send("Hello")).rejects.toThrow("is closed");
    const again = await runtime.openSession({ ...request, id: "s" });
    expect((await (await again.send("Hello")).result).text).toBe("Hi.");
  });

  test.each(["", "..\u0000", "a/b", "a:b", "x".repeat(129)])("cannot have the id %j", async (id) => {
    await expect(runtimeOn(createMemoryBackend(talk)).openSession({ ...request, id })).rejects.toThrow(
      InvalidRequestError,
    );
  });

  test("refuses an invalid request and stays usable", async () => {
    const session = await runtimeOn(createMemoryBackend(talk)).openSession(request);
    await expect(session.send("")).rejects.toThrow("empty");
    expect((await (await session.send("One")).result).stopReason).toBe("natural");
  });
});

test("the rest of a result that was cut can be read in a later run", async () => {
  const long = createTestTool("look", async () => "start ".padEnd(50_000, "-").concat(" the end"));
  const backend = createMemoryBackend([
    { prompt: "One", steps: [{ calls: [call] }, { say: "Cut." }] },
    { prompt: "Two", steps: [{ calls: [{ tool: "read_result", input: { offset: 49_990 } }] }, { say: "Read." }] },
  ]);
  const record = createMemoryEventLog();
  for (const prompt of ["One", "Two"]) {
    const session = await runtimeOn(backend, { eventLog: record }).openSession({ ...request, id: "s", tools: [long] });
    await (await session.send(prompt)).result;
  }
  expect(textsOf(backend).at(-1)).toContain("- the end");
  const offered = backend.sent.map(({ tools }) => tools.map(({ name }) => name).join());
  expect(offered).toEqual(["look", "look,read_result", "look,read_result", "look,read_result"]);
});

describe("a fork", () => {
  test("continues from the newest response or an earlier one, and neither branch sees the other", async () => {
    const record = createMemoryEventLog();
    const backend = createMemoryBackend(talk);
    const session = await runtimeOn(backend, { eventLog: record }).openSession({ ...request, id: "trunk" });
    const ends: number[] = [];
    for (const turn of [1, 2, 3, 4]) {
      await (await session.send(`Turn ${turn}`)).result;
      ends.push(session.steps);
    }
    const branch = await session.fork({ atStep: ends[2] ?? 0 });
    expect(branch.history()).toEqual(session.history().slice(0, 12));
    await (await branch.send("To the left")).result;
    expect(textsOf(backend).filter((text) => !text.startsWith("found"))).toEqual([
      "Turn 1",
      "Turn 2",
      "Turn 3",
      "To the left",
    ]);
    await (await session.send("To the right")).result;
    expect(textsOf(backend)).not.toContain("To the left");
    expect(textsOf(backend)).toContain("Turn 4");
    const whole = await branch.fork();
    expect(whole.history()).toEqual(branch.history());
    expect((await record.read({ sessionId: branch.id }))[1]).toMatchObject({
      type: "history.replaced",
      reason: "forked",
      from: "trunk",
    });
    expect(buildHistory(await record.read({ sessionId: branch.id }))).toEqual(branch.history());
  });

  test("in the middle of a turn has the results of the earlier calls", async () => {
    const session = await runtimeOn(createMemoryBackend(talk)).openSession(request);
    await (await session.send("One")).result;
    const branch = await session.fork({ atStep: 1 });
    expect(branch.history().map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    await expect(session.fork({ atStep: 3 })).rejects.toThrow("from 1 to 2");
    await expect(session.fork({ atStep: 0 })).rejects.toThrow(InvalidRequestError);
  });
});

describe("a history", () => {
  test("that is edited replaces the earlier messages, which stay in the event log", async () => {
    const record = createMemoryEventLog();
    const backend = createMemoryBackend(talk);
    const session = await runtimeOn(backend, { eventLog: record }).openSession({ ...request, id: "s" });
    await (await session.send("My name is Ada")).result;
    session.edit([user("My name is Bo"), { role: "assistant", content: [{ type: "text", text: "Hello, Bo." }] }]);
    await (await session.send("What is my name?")).result;
    expect(JSON.stringify(backend.sent.at(-1)?.messages)).not.toContain("Ada");
    expect(textsOf(backend)).toContain("My name is Bo");
    expect(buildHistory(await record.read({ sessionId: "s" }))).toEqual(session.history());
    expect(JSON.stringify(await record.read({ sessionId: "s" }))).toContain("Ada");
  });

  const result = { type: "tool-result", callId: "1", output: "", isError: false } as const;
  const asked = { type: "tool-call", callId: "1", tool: "look", input: {} } as const;
  test.each([
    ["a call without its result", [user("a"), { role: "assistant", content: [asked] }]],
    [
      "a call that is answered later",
      [{ role: "assistant", content: [asked] }, user("a"), { role: "user", content: [result] }],
    ],
    ["a result without its call", [{ role: "user", content: [result] }]],
    ["an empty message", [{ role: "user", content: [] }]],
  ] as [string, HistoryMessage[]][])("with %s is refused", async (_what, history) => {
    const session = await runtimeOn(createMemoryBackend(talk)).openSession(request);
    expect(() => session.edit(history)).toThrow(InvalidRequestError);
  });

  test("that does not fit is compacted once, and the same message is sent again", async () => {
    const record = createMemoryEventLog();
    const backend = createMemoryBackend([
      { prompt: "One", steps: [{ calls: [call] }, { say: "Long." }] },
      { prompt: "Two", steps: [{ say: "Short." }] },
    ]);
    const session = await runtimeOn(withWindow(backend, 500), { eventLog: record }).openSession({
      ...request,
      id: "s",
    });
    await (await session.send("One")).result;
    const events = await eventsOf(await session.send("Two"));
    expect(events.at(-1)).toMatchObject({ result: { stopReason: "natural", text: "Short." } });
    expect(events.map(({ type }) => type).slice(1, 4)).toEqual(["model.input", "history.replaced", "model.input"]);
    expect(textsOf(backend)[1]).toBe("[This result of 306 characters was left out to make room.]");
    expect(session.history()).toEqual([
      ...(backend.sent.at(-1)?.messages ?? []),
      { role: "assistant", content: [{ type: "text", text: "Short." }] },
    ]);
    expect(JSON.stringify(await record.read({ sessionId: "s" }))).toContain("xxxxxxxx");
  });

  test("that does not fit after compaction, or cannot be compacted, is a ContextOverflowError", async () => {
    const backend = createMemoryBackend([
      { prompt: "One", steps: [{ calls: [call] }, { say: "Long." }] },
      { prompt: "Two", steps: [overflow] },
    ]);
    const session = await runtimeOn(backend).openSession(request);
    await (await session.send("One")).result;
    for (const sent of [4, 5]) {
      expect((await (await session.send("Two")).result).error).toMatchObject({ code: "context_overflow" });
      expect(backend.sent).toHaveLength(sent);
    }
    const none = await runtimeOn(backend).openSession({ ...request, compaction: "none" });
    await (await none.send("One")).result;
    expect((await (await none.send("Two")).result).error).toMatchObject({ code: "context_overflow" });
    expect(backend.sent).toHaveLength(8);
  });

  test("is summarised by the model except for the newest turn, even with a single permit", async () => {
    const backend = createMemoryBackend([
      { prompt: "<conversation>", steps: [{ say: "Ada asked for horses." }] },
      { prompt: "Three", steps: [{ say: "Short." }] },
      { prompt: "One", steps: [{ calls: [call] }, { say: "First." }] },
      { prompt: "Two", steps: [{ calls: [call] }, { say: "Second." }] },
    ]);
    const session = await runtimeOn(withWindow(backend, 1000), { limits: { maxConcurrency: 1 } }).openSession({
      ...request,
      compaction: "summarise",
    });
    for (const prompt of ["One", "Two"]) await (await session.send(prompt)).result;
    expect((await (await session.send("Three")).result).text).toBe("Short.");
    const texts = textsOf(backend);
    expect(texts[0]).toBe("What was said and done before, in short:\n\nAda asked for horses.");
    expect(texts.slice(1)).toEqual(["Two", expect.stringContaining("found"), "Three"]);
    expect(session.totals.runs).toBe(3);
  });

  test("can be compacted before it is necessary", async () => {
    const session = await runtimeOn(createMemoryBackend(talk)).openSession(request);
    expect(await session.compact("drop-tool-results")).toBe(false);
    await (await session.send("One")).result;
    expect(await session.compact("drop-tool-results")).toBe(true);
    expect(JSON.stringify(session.history())).not.toContain("xxxx");
    expect(await session.compact("drop-tool-results")).toBe(false);
  });

  test("is not replaced by a compaction of events that were removed meanwhile", async () => {
    const eventLog = createMemoryEventLog();
    const session = await runtimeOn(createMemoryBackend(talk), { eventLog }).openSession(request);
    await (await session.send("One")).result;
    expect(await session.compact("drop-tool-results")).toBe(true);
    await eventLog.removeSession(session.id);
    await session.refresh();
    expect(session.history()).toEqual([]);
  });

  test("keeps the runs that begin during a compaction or after it, here and in other runtimes", async () => {
    const record = createMemoryEventLog();
    const open = () =>
      runtimeOn(createMemoryBackend(talk), { eventLog: record }).openSession({ ...request, id: "shared" });
    const session = await open();
    const first = await session.send("One");
    expect(await session.compact("drop-tool-results")).toBe(true); // waits for the run
    expect((await first.result).stopReason).toBe("natural");
    expect(JSON.stringify(session.history())).toContain("Answered.");
    const other = await open();
    await (await other.send("Two")).result;
    await (await session.send("Three")).result;
    expect(textsIn(session.history())).toEqual(["One", "Answered.", "Two", "Answered.", "Three", "Answered."]);
  }, 20_000);

  test("is byte for byte the same in requests and from the reducer, for every sequence of actions", async () => {
    const act = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("talk", "stop", "broken") },
      { weight: 1, arbitrary: fc.constantFrom("fork", "edit", "compact", "reopen") },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 8 }), async (acts) => {
        const record = createMemoryEventLog();
        const backend = createMemoryBackend([
          { prompt: "talk", steps: [{ say: "So.", calls: [call, { tool: "missing", input: 7 }] }, { say: "Done." }] },
          { prompt: "stop", steps: [{ calls: [call] }, { say: "Half", stall: true }] },
          { prompt: "broken", steps: [{ fail: "overloaded" }] },
        ]);
        const runtime = runtimeOn(backend, { eventLog: record });
        let session = await runtime.openSession(request);
        for (const [index, each] of acts.entries()) {
          const before = session.history();
          if (each === "fork") session = await session.fork();
          else if (each === "edit") session.edit(before);
          else if (each === "compact") await session.compact("drop-tool-results");
          else if (each === "reopen" && index > 0 && session.totals.runs > 0)
            session = await runtime.openSession({ ...request, id: session.id });
          else if (each !== "reopen") {
            const run = await session.send(`${each} ${index}`);
            for await (const event of run) if (each === "stop" && event.type === "text.completed") run.stop();
            const last = backend.sent.at(-1)?.messages ?? [];
            expect(last.slice(0, before.length + 1)).toEqual([...before, user(`${each} ${index}`)]);
            expect(session.history().slice(0, last.length)).toEqual(last);
            expect(session.history().length - last.length).toBe(each === "broken" ? 0 : 1);
            expect(buildHistory(await record.read({ sessionId: session.id }))).toEqual(session.history());
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** Gives the backend a context window: a history with more characters does not fit. */
function withWindow(backend: MemoryBackend, chars: number): MemoryBackend {
  return {
    ...backend,
    async open(spec, signal) {
      const conversation = await backend.open(spec, signal);
      if (JSON.stringify(spec.history).length <= chars) return conversation;
      const turn = () => Promise.reject(new ContextOverflowError("prompt is too long"));
      return { ...conversation, turn };
    },
  };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
  );
}
