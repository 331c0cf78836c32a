/** Compares sessions that continue in the thread that holds their history with sessions that are rebuilt, all in one process. */
import { inRows } from "@bridle/conformance";
import { createAgentRuntime } from "@bridle/core";
import { type AgentSession, defineTool, type RunEvent } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { childrenOf } from "../../claude-code/tests/support/processes.ts";
import { sentRequests } from "./support/codex-wire.ts";
import { killCodex } from "./support/kill-codex.ts";
import { type CodexTestContext, startCodex } from "./support/test-backend.ts";

const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({ at: z.string() }),
  execute: async ({ at }) => `At ${at} there is «ünïcødé 🐎».`,
});
const request = { tools: [look], stepBudget: 5, system: "You look at things." };

/** Turns with reasoning, two calls in one response, and then a call with invalid input. */
const turns = [1, 2, 3].map((turn) => ({
  when: { user: `Turn ${turn}` },
  steps: [
    {
      think: `Thought ${turn}.`,
      say: `Looking for ${turn}.`,
      calls: [
        { call: "look", with: { at: `${turn}a` } },
        { call: "look", with: { at: turn } },
      ],
    },
    { say: `Answer ${turn}.` },
  ],
}));

async function open() {
  const context = await startCodex({ rehearsal: 1, turns: [...turns, { steps: [{ say: "Fine.", forever: true }] }] });
  const runtime = createAgentRuntime({ backend: context.backend, models: { default: "gpt-5.5" } });
  onTestFinished(async () => {
    await runtime.close();
    await context.close();
  });
  return { ...context, runtime };
}

/** Sends a message, and returns how the host got the history. Checks that the request contained exactly the history in the event log. */
async function say({ rehearsal }: Pick<CodexTestContext, "rehearsal">, session: AgentSession, text: string) {
  const before = session.history();
  const run = await session.send(text);
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  expect(await run.result).toMatchObject({ stopReason: "natural" });
  const own = sentRequests(rehearsal.requests).filter(({ texts }) => texts.includes(text));
  const asked = { role: "user" as const, content: [{ type: "text" as const, text }] };
  expect(inRows(own[0]?.messages ?? [])).toEqual(inRows([...before, asked]));
  expect(inRows(own.at(-1)?.messages ?? [])).toEqual(inRows(session.history().slice(0, -1)));
  const input = events.find(({ type }) => type === "model.input");
  const { resumed, reason } = (input?.type === "model.input" && input.history) || {};
  return resumed && `${resumed}: ${reason}`;
}

const processes = () => childrenOf(process.pid).filter(({ command }) => command.includes("app-server"));

test("a session continues in its thread, and the requests hold the whole history of the event log", async () => {
  const context = await open();
  const session = await context.runtime.openSession(request);
  expect(await say(context, session, "Turn 1")).toBeUndefined();
  const first = processes();
  expect(first).toHaveLength(1);
  expect(await say(context, session, "Turn 2")).toBe("native: fingerprint-matched");
  expect(await say(context, session, "Turn 3")).toBe("native: fingerprint-matched");
  expect(processes()).toEqual(first);
  expect(JSON.stringify(context.rehearsal.requests.at(-1)?.body)).toContain("encrypted_content");
});

test("a copy, an edited session and one whose process has died are rebuilt, and send the same history", async () => {
  const context = await open();
  const session = await context.runtime.openSession(request);
  await say(context, session, "Turn 1");
  const copy = await context.runtime.openSession(request);
  copy.edit(session.history());
  expect(await say(context, copy, "A copy")).toBe("rebuilt: not-retained");
  copy.edit(session.history());
  expect(await say(context, copy, "An edited one")).toBe("rebuilt: changed");
  killCodex();
  await expect.poll(() => context.backend.pool().idle).toBe(0);
  expect(await say(context, session, "Turn 2")).toBe("rebuilt: died");
  expect(await say(context, session, "Turn 3")).toBe("native: fingerprint-matched");
});

test("sessions with their own tools take turns at once in one process, and share nothing", async () => {
  const context = await open();
  const names = ["north", "south", "east", "west"];
  const sessions = await Promise.all(
    names.map((name) => context.runtime.openSession({ tools: [{ ...look, name }], system: name, stepBudget: 2 })),
  );
  for (const round of [1, 2]) {
    const ways = await Promise.all(
      sessions.map(async (session, at) => say(context, session, `Round ${round}, to the ${names[at]}`)),
    );
    expect(new Set(ways)).toEqual(new Set([round === 1 ? undefined : "native: fingerprint-matched"]));
  }
  expect(processes()).toHaveLength(1);
  for (const { system, tools, texts } of sentRequests(context.rehearsal.requests)) {
    expect(tools.map(({ name }) => name)).toEqual([system, "read_result"]);
    expect(texts.every((text) => text.endsWith(system))).toBe(true);
  }
});

test("a closed session leaves no thread in the process", async () => {
  const context = await open();
  const session = await context.runtime.openSession(request);
  await say(context, session, "Turn 1");
  expect(context.backend.pool()).toMatchObject({ idle: 1, busy: 0 });
  await session.close();
  const next = await context.runtime.openSession(request);
  next.edit(session.history());
  expect(await say(context, next, "Turn 2")).toBe("rebuilt: not-retained");
});
