import { createAgentRuntime, createMemoryEventLog } from "@bridle/core";
import { type AgentSession, buildHistory, type HistoryMessage } from "@bridle/protocol";
import { expect } from "vitest";
import { type Behaviour, collect } from "./harness.ts";
import { inRows } from "./in-rows.ts";
import type { ScriptedModel } from "./scripted-model.ts";
import { call, echo } from "./tools-for-tests.ts";

/** The model calls tools in its first and third turn, one of them with an input that does not fit. */
const talk: ScriptedModel = [
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
const asked = (text: string): HistoryMessage => ({ role: "user", content: [{ type: "text", text }] });

async function say(session: AgentSession, prompt: string): Promise<void> {
  const events = await collect(await session.send(prompt));
  expect(events.at(-1)).toMatchObject({ type: "run.finished", result: { stopReason: "natural" } });
}

export function sessionLaws(behaviour: Behaviour): void {
  behaviour("tells the model in each run to the byte what it was told, said and called before", async (stage) => {
    const record = createMemoryEventLog();
    const { runtime, host } = await stage(talk, { eventLog: record });
    const session = await runtime.openSession({ ...request, id: "s" });
    for (const prompt of ["First", "Second", "Third", "Fourth"]) {
      const before = session.history();
      const sent = host.sent().length;
      await say(session, prompt);
      expect(inRows(host.sent()[sent]?.messages ?? [])).toEqual(inRows([...before, asked(prompt)]));
      expect(buildHistory(record.events({ sessionId: "s" }))).toEqual(session.history());
    }
    expect(session.totals).toMatchObject({ runs: 4, toolCalls: 4 });
  });

  behaviour("goes on where it was in another runtime with the same record", async (stage) => {
    const record = createMemoryEventLog();
    const { runtime, host } = await stage(talk, { eventLog: record });
    const session = await runtime.openSession({ ...request, id: "s" });
    await say(session, "First");
    const next = createAgentRuntime({ backend: host.backend, models: { default: host.model }, eventLog: record });
    try {
      const again = await next.openSession({ ...request, id: "s" });
      expect(again.history()).toEqual(session.history());
      await say(again, "Second");
      expect(inRows(host.sent().at(-1)?.messages ?? [])).toEqual(inRows([...session.history().slice(0, -1)]));
    } finally {
      await next.close();
    }
  });

  behaviour("forks at an earlier response, and neither side sees the other", async (stage) => {
    const { runtime, host } = await stage(talk);
    const session = await runtime.openSession(request);
    for (const prompt of ["First", "Second", "Third"]) await say(session, prompt);
    const branch = await session.fork({ atStep: 3 });
    const before = branch.history();
    await say(branch, "Fourth");
    expect(inRows(host.sent().at(-1)?.messages ?? [])).toEqual(inRows([...before, asked("Fourth")]));
    await say(session, "Fifth");
    const sent = JSON.stringify(host.sent().at(-1)?.messages);
    expect(sent).toContain("Third");
    expect(sent).not.toContain("Fourth");
  });

  behaviour("goes on with the history that took the place of another", async (stage) => {
    const { runtime, host } = await stage(talk);
    const session = await runtime.openSession(request);
    await say(session, "First");
    const edited = session.history().map(({ role, content }) => ({
      role,
      content: content.map((part) => (part.type === "tool-result" ? { ...part, output: "otherwise" } : part)),
    }));
    session.edit(edited);
    await say(session, "Second");
    expect(inRows(host.sent().at(-1)?.messages ?? [])).toEqual(inRows([...edited, asked("Second")]));
  });

  behaviour("goes on after a run that was stopped", async (stage) => {
    const { runtime, host } = await stage(talk);
    const session = await runtime.openSession(request);
    await say(session, "First");
    const run = await session.send("Wait");
    for await (const event of run) if (event.type === "text.delta") run.stop();
    const before = session.history();
    expect(before.at(-2)).toEqual(asked("Wait"));
    await say(session, "Second");
    expect(inRows(host.sent().at(-1)?.messages ?? [])).toEqual(inRows([...before, asked("Second")]));
  });
}
