import { createAgentRuntime, createMemoryEventLog } from "@bridle/core";
import { type AgentSession, buildHistory, defineTool, type HistoryMessage } from "@bridle/protocol";
import { expect } from "vitest";
import { type Behaviour, collect } from "./harness.ts";
import { inRows } from "./in-rows.ts";
import type { ScriptedModel } from "./scripted-model.ts";
import { call, echo } from "./tools-for-tests.ts";

/** A model that calls tools in its first and third turn, once with an invalid input. */
const script: ScriptedModel = [
  {
    prompt: "First",
    steps: [{ say: "Two at once.", calls: [call("look", "a"), call("look", "b")] }, { say: "Both seen." }],
  },
  { prompt: "Second", steps: [{ say: "Nothing to look at. ünïcødé 🐎" }] },
  {
    prompt: "Third",
    steps: [{ calls: [{ tool: "look", input: { value: 7 } }] }, { calls: [call("look", "c")] }, { say: "Seen." }],
  },
  { prompt: "Fourth", steps: [{ say: "Left." }] },
  { prompt: "Fifth", steps: [{ say: "Right." }] },
  { prompt: "Wait", steps: [{ say: "One moment", stall: true }] },
];
const request = { tools: [echo("look")], stepBudget: 5 };
const userMessage = (text: string): HistoryMessage => ({ role: "user", content: [{ type: "text", text }] });

async function send(session: AgentSession, prompt: string): Promise<void> {
  const events = await collect(await session.send(prompt));
  expect(events.at(-1)).toMatchObject({ type: "run.finished", result: { stopReason: "natural" } });
}

export function sessionLaws(behaviour: Behaviour): void {
  behaviour("sends the model exactly the earlier messages, calls and results in each run", async (start) => {
    const eventLog = createMemoryEventLog();
    const { runtime, host } = await start(script, { eventLog: eventLog });
    const session = await runtime.openSession({ ...request, id: "s" });
    for (const prompt of ["First", "Second", "Third", "Fourth"]) {
      const before = session.history();
      const sent = host.sent().length;
      await send(session, prompt);
      expect(inRows(host.sent()[sent]?.messages ?? [])).toEqual(inRows([...before, userMessage(prompt)]));
      expect(buildHistory(await eventLog.read({ sessionId: "s" }))).toEqual(session.history());
    }
    expect(session.totals).toMatchObject({ runs: 4, toolCalls: 4 });
  });

  behaviour("gives tools the variables of the runtime, the session and the run", async (start) => {
    const given: Readonly<Record<string, string>>[] = [];
    const note = defineTool({
      ...echo("look"),
      async execute(_input, { environment }) {
        given.push(environment);
        return "seen";
      },
    });
    const toolEnvironment = { PGHOST: "of-the-runtime", PGUSER: "of-the-runtime", PGPORT: "5432" };
    const { runtime } = await start([{ steps: [{ calls: [call("look", "a")] }, { say: "Seen." }] }], {
      toolEnvironment,
    });
    const environment = { PGHOST: "of-the-session", PGUSER: "of-the-session" };
    const session = await runtime.openSession({ tools: [note], stepBudget: 3, environment });
    const run = await session.send("First", { environment: { PGHOST: "of-the-run" } });
    expect(await run.result).toMatchObject({ stopReason: "natural", toolFailures: 0 });
    expect(given).toEqual([{ PGHOST: "of-the-run", PGUSER: "of-the-session", PGPORT: "5432" }]);
  });

  behaviour("continues in another runtime with the same event log", async (start) => {
    const eventLog = createMemoryEventLog();
    const { runtime, host } = await start(script, { eventLog: eventLog });
    const session = await runtime.openSession({ ...request, id: "s" });
    await send(session, "First");
    const next = createAgentRuntime({ backend: host.backend, models: { default: host.model }, eventLog: eventLog });
    try {
      const again = await next.openSession({ ...request, id: "s" });
      expect(again.history()).toEqual(session.history());
      await send(again, "Second");
      await session.refresh();
      expect(inRows(host.sent().at(-1)?.messages ?? [])).toEqual(inRows([...session.history().slice(0, -1)]));
    } finally {
      await next.close();
    }
  });

  behaviour("forks at an earlier response, and both sessions continue independently", async (start) => {
    const { runtime, host } = await start(script);
    const session = await runtime.openSession(request);
    for (const prompt of ["First", "Second", "Third"]) await send(session, prompt);
    const branch = await session.fork({ atStep: 3 });
    const before = branch.history();
    await send(branch, "Fourth");
    expect(inRows(host.sent().at(-1)?.messages ?? [])).toEqual(inRows([...before, userMessage("Fourth")]));
    await send(session, "Fifth");
    const sent = JSON.stringify(host.sent().at(-1)?.messages);
    expect(sent).toContain("Third");
    expect(sent).not.toContain("Fourth");
  });

  behaviour("continues with an edited history", async (start) => {
    const { runtime, host } = await start(script);
    const session = await runtime.openSession(request);
    await send(session, "First");
    const edited = session.history().map(({ role, content }) => ({
      role,
      content: content.map((part) => (part.type === "tool-result" ? { ...part, output: "otherwise" } : part)),
    }));
    session.edit(edited);
    await send(session, "Second");
    expect(inRows(host.sent().at(-1)?.messages ?? [])).toEqual(inRows([...edited, userMessage("Second")]));
  });

  behaviour("maps ids of calls and names of tools that hosts refuse in an edited history", async (start) => {
    const { runtime, host } = await start(script);
    const session = await runtime.openSession(request);
    const callId = `call:1|${"ä".repeat(80)}`;
    session.edit([
      userMessage("Look"),
      { role: "assistant", content: [{ type: "tool-call", callId, tool: "shop.look up", input: { value: "a" } }] },
      { role: "user", content: [{ type: "tool-result", callId, output: "seen", isError: false }] },
      { role: "assistant", content: [{ type: "text", text: "Seen." }] },
    ]);
    const before = session.history();
    await send(session, "Second");
    const sent = host.sent().at(-1)?.messages ?? [];
    expect(inRows(sent)).toEqual(inRows([...before, userMessage("Second")]));
    const named = sent.flatMap(({ content }) => content.flatMap((part) => (part.type === "tool-call" ? [part] : [])));
    expect(named).toMatchObject([{ tool: "shop_look_up", callId: expect.stringMatching(/^[A-Za-z0-9_-]{1,64}$/) }]);
  });

  behaviour("continues after a stopped run", async (start) => {
    const { runtime, host } = await start(script);
    const session = await runtime.openSession(request);
    await send(session, "First");
    const run = await session.send("Wait");
    for await (const event of run) if (event.type === "text.delta") run.stop();
    const before = session.history();
    expect(before.at(-2)).toEqual(userMessage("Wait"));
    await send(session, "Second");
    expect(inRows(host.sent().at(-1)?.messages ?? [])).toEqual(inRows([...before, userMessage("Second")]));
  });
}
