/** The adapter on two hosts: an API of a model, and the real Claude Code. A script answers in place of the model. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { type AgentRuntime, createMemoryEventLog, createRuntime } from "bridle";
import { BridleAdapter } from "./adapter.ts";
import type { NormalizedEvent, SessionHandle, TaskHandle, TaskInput, TranscriptMessage } from "./port.ts";

const env = { cwd: import.meta.dirname };
const inputSchema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const toolManifest = { tools: [{ name: "read_file", description: "Reads a file.", inputSchema }] };
const user = (text: string): TranscriptMessage => ({ role: "user", content: [{ type: "text", text }] });

for (const backend of ["anthropic", "claude-code"] as const) {
  describe(`the port of CodeSDK on ${backend}`, () => {
    const eventLog = createMemoryEventLog();
    let runtime: AgentRuntime;
    let adapter: BridleAdapter;
    let handle: SessionHandle;
    const open = () => createRuntime({ backend, eventLog, rehearse: join(import.meta.dirname, "rehearsal.yaml") });
    before(async () => {
      runtime = await open();
      adapter = new BridleAdapter(runtime);
    });
    beforeEach(async () => {
      handle = await adapter.createSession(env, { model: "sonnet" });
    });
    after(() => runtime.close());

    const start = (...messages: TranscriptMessage[]): Promise<TaskHandle> => {
      const input: TaskInput = { taskId: "task-1", messages, toolManifest };
      return adapter.startTask(env, handle, input);
    };

    /** Plays the SDK: answers each call, and returns all events. */
    async function finish(task: TaskHandle, answer: (event: NormalizedEvent, id: string) => Promise<void>) {
      const events: NormalizedEvent[] = [];
      for await (const event of task.events()) {
        events.push(event);
        if (event.type === "tool.call.requested") await answer(event, String(event.payload.tool_call_id));
      }
      return events;
    }
    const run = (task: TaskHandle) => finish(task, (_event, id) => task.sendToolResult(id, { text: "the same" }));
    const typesOf = (events: NormalizedEvent[]) => [...new Set(events.map(({ type }) => type))];

    test("a task is one stream of events, from its start to its end", async () => {
      const events = await run(await start(user("Compare them")));
      assert.deepEqual(
        [events[0], events.at(-1)].map((event) => [event?.type, event?.trace]),
        ["task.started", "task.completed"].map((type) => [type, { session_id: handle.sessionId, task_id: "task-1" }]),
      );
      const seqs = events.map(({ seq }) => seq);
      assert.deepEqual(
        seqs,
        seqs.toSorted((a, b) => a - b),
      );
      assert.equal(events.at(-1)?.payload.text, 'They say: {"text":"the same"}');
      assert.ok(typesOf(events).includes("usage.reported"));
    });

    test("deltas of a block add up to its text, or to the input of its call", async () => {
      const events = await run(await start(user("Compare them")));
      const deltas = Map.groupBy(
        events.filter(({ type }) => type === "model.output.delta"),
        ({ payload }) => payload.block_id,
      );
      const joined = (id: unknown) =>
        deltas
          .get(id)
          ?.map(({ payload }) => payload.delta)
          .join("") ?? "";
      const texts = events.filter(({ type }) => type === "model.output.completed");
      assert.equal(texts.length, 2);
      for (const { payload } of texts) {
        assert.deepEqual(payload.content, [{ type: "text", text: joined(payload.block_id) }]);
      }
      const calls = events.filter(({ type }) => type === "tool.call.requested");
      assert.equal(calls.length, 2);
      for (const { payload } of calls) assert.deepEqual(JSON.parse(joined(payload.block_id)), payload.input);
    });

    test("each call is requested, evaluated, approved, started and completed", async () => {
      const events = await run(await start(user("Compare them")));
      const calls = Map.groupBy(events, ({ payload }) => payload.tool_call_id);
      calls.delete(undefined);
      const order = ["requested", "policy_evaluated", "approved", "started", "completed"];
      const expected = order.map((each) => `tool.call.${each}`);
      assert.deepEqual([...calls.values()].map(typesOf), [expected, expected]);
    });

    test("several calls wait for the SDK at the same time", async () => {
      const task = await start(user("Compare them"));
      const waiting: string[] = [];
      const events = await finish(task, async (_event, id) => {
        if (waiting.push(id) === 2) for (const each of waiting.reverse()) await task.sendToolResult(each, "late");
      });
      assert.equal(events.at(-1)?.payload.text, "They say: late");
    });

    test("a call that the SDK denies does not run, and the model gets the reason", async () => {
      const task = await start(user("Compare them"));
      const events = await finish(task, (_event, id) => task.sendToolDenied(id, "Not these files."));
      const denied = events.filter(({ type }) => type === "tool.call.denied");
      assert.equal(denied.length, 2);
      assert.match(String(denied[0]?.payload.reason), /Not these files/);
      assert.equal(typesOf(events).includes("tool.call.started"), false);
    });

    test("a session continues in another process from the event log", async () => {
      assert.deepEqual(await adapter.resumeSession(env, handle), { ok: false });
      await run(await start(user("Compare them")));
      const other = await open();
      const resumed = new BridleAdapter(other);
      assert.deepEqual(await resumed.resumeSession(env, handle), { ok: true });
      const task = await resumed.startTask(env, handle, { taskId: "task-2", messages: [user("Shorter")] });
      assert.equal((await run(task)).at(-1)?.payload.text, "They differ.");
      const session = await other.openSession({ id: handle.sessionId, tools: [] });
      assert.equal(session.history().length, 6);
      await other.close();
    });

    test("a session can be rebuilt from the transcript of the SDK", async () => {
      const transcript: TranscriptMessage[] = [
        user("Compare them"),
        {
          role: "assistant",
          content: [{ type: "tool_use", tool_call_id: "c1", name: "read_file", input: { path: "a.md" } }],
        },
        { role: "user", content: [{ type: "tool_result", tool_call_id: "c1", result: { text: "A" } }] },
        { role: "assistant", content: [{ type: "text", text: "It says A." }] },
      ];
      assert.equal((await run(await start(...transcript, user("Shorter")))).at(-1)?.payload.text, "They differ.");
    });

    test("a task that is stopped while calls wait ends with task.stopped", async () => {
      const task = await start(user("Compare them"));
      const events = await finish(task, () => task.stop("the user pressed Esc"));
      assert.equal(events.at(-1)?.type, "task.stopped");
      assert.match(String(events.at(-1)?.payload.reason), /the user pressed Esc/);
    });

    test("a failure of the host ends with task.failed, and says whether to try again", async () => {
      const events = await run(await start(user("refused")));
      assert.equal(events.at(-1)?.type, "task.failed");
      assert.match(String(events.at(-1)?.payload.error), /not acceptable/);
      assert.equal(events.at(-1)?.payload.retryable, false);
    });

    test("capabilities and the login are those of the host", async () => {
      const { supportsParallelToolCalls, mcpTransports } = adapter.getCapabilities();
      assert.deepEqual([supportsParallelToolCalls, mcpTransports], [true, ["stdio", "http", "sse"]]);
      assert.equal((await adapter.getAuthStatus()).loggedIn, true);
    });
  });
}
