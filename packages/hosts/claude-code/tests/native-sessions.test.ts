/** Runs many parallel sessions in fewer processes. No text of one session may reach another session. */

import { inRows } from "@bridle/conformance";
import { createAgentRuntime } from "@bridle/core";
import { type AgentSession, defineTool, type RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { childrenOf, hostsAmong } from "./support/processes.ts";
import { sentRequests, startTestContext } from "./support/test-context.ts";

const sessions = Number(process.env.SOAK_SESSIONS ?? 8);
const rounds = 2;
/** The number of turns that a session has in a row. */
const inARow = 2;
const atOnce = 4;
const maxProcesses = sessions / 2;

const word = (session: number, part: string) => `${part}word${String(session).padStart(2, "0")}`;
const planted = /\b(?:prompt|input|result|said)word(\d{2})\b/g;

/** A tool that gets its own session's word, and returns it in another form. */
const tell = defineTool({
  name: "tell",
  description: "Tells more.",
  input: z.object({ about: z.string() }),
  execute: async ({ about }) => about.replace("input", "result"),
});

const script = Array.from({ length: sessions }, (_, session) => ({
  when: { user: word(session, "prompt") },
  steps: [
    { think: `Of ${word(session, "said")}.`, call: "tell", with: { about: word(session, "input") } },
    { say: word(session, "said") },
  ],
}));

/** Runs `work` for every number, several in parallel, in a different order each round. */
async function each(work: (session: number) => Promise<void>, shift: number): Promise<void> {
  const left = Array.from({ length: sessions }, (_, at) => (at * 7 + shift) % sessions);
  const worker = async () => {
    for (let session = left.shift(); session !== undefined; session = left.shift()) await work(session);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

test("sessions over half as many processes share no text, and each keeps its own history", async () => {
  const context = await startTestContext({ rehearsal: 1, turns: script } as never, { pool: { maxProcesses } });
  const runtime = createAgentRuntime({
    backend: context.backend,
    models: { default: "sonnet" },
    projectDir: context.home.project,
    limits: { maxConcurrency: atOnce },
  });
  const ways: string[] = [];
  const histories = new Map<number, ReturnType<AgentSession["history"]>>();
  try {
    const open = await Promise.all(script.map(() => runtime.openSession({ tools: [tell], stepBudget: 3 })));
    for (let round = 0; round < rounds; round++) {
      await each(async (number) => {
        const session = open[number];
        if (!session) throw new Error("it is open");
        for (let turn = 0; turn < inARow; turn++) {
          const run = await session.send(`Tell ${word(number, "prompt")}, round ${round}, turn ${turn}.`);
          for await (const event of run) ways.push(...wayOf(event));
          expect(await run.result).toMatchObject({ stopReason: "natural", text: word(number, "said") });
        }
        histories.set(number, session.history());
      }, round);
    }
    expect(context.rehearsal.failures).toEqual([]);
    expect(ways).toHaveLength(sessions * (rounds * inARow - 1));
    expect(ways.filter((way) => way === "native").length).toBeGreaterThan(sessions);
    expect(ways).toContain("rebuilt");
    const newest = new Map<number, ReturnType<typeof sentRequests>[number]>();
    for (const [at, { body }] of context.rehearsal.requests.filter(({ path }) => path === "/v1/messages").entries()) {
      const owners = new Set([...JSON.stringify(body).matchAll(planted)].map(([, owner]) => Number(owner)));
      expect(owners.size).toBe(1);
      const [owner = -1] = owners;
      const sent = sentRequests(context.rehearsal.requests)[at];
      if (sent) newest.set(owner, sent);
    }
    for (const [session, history] of histories) {
      expect(inRows(newest.get(session)?.messages ?? [])).toEqual(inRows(history.slice(0, -1)));
    }
  } finally {
    await runtime.close();
    await context.close();
  }
  expect(hostsAmong(childrenOf(process.pid))).toEqual([]);
});

function wayOf(event: RunEvent): string[] {
  return event.type === "model.input" && event.history?.resumed ? [event.history.resumed] : [];
}
