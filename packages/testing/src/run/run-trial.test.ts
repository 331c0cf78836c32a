import { createRedactor } from "@bridle/core";
import { type AgentRuntime, StoreBusyError } from "@bridle/protocol";
import { expect, test } from "vitest";
import type { PlannedCase } from "../plan/plan-cases.ts";
import { runTrial, type TrialEnvironment } from "./run-trial.ts";

const context = (runtime: Partial<AgentRuntime>): TrialEnvironment => ({
  agent: { runtime: runtime as AgentRuntime, request: { system: "", tools: [], stepBudget: 5 }, limits: {} },
  id: "t",
  baseDir: ".",
  stepBudget: 5,
  tools: new Map(),
  retrieving: new Map(),
  artifact: async () => undefined,
  redactor: createRedactor(),
  signal: new AbortController().signal,
});
const talk = (names: readonly string[]): PlannedCase => ({
  name: "talk",
  isConversation: true,
  checks: "some",
  turns: names.map((input, index) => ({ number: index + 1, config: { input }, metrics: [], checks: "some" })),
});
const busy = new StoreBusyError("The record is written by process 7.", "/record", { holder: "the process 7" });

test("a session that the event log cannot open says nothing about the agent, and other trials run", async () => {
  const trial = await runTrial(talk(["a", "b"]), 1, context({ openSession: () => Promise.reject(busy) }));
  expect(trial).toMatchObject({
    case: "talk",
    outcome: "errored",
    turns: [],
    sessionId: null,
    failures: [{ kind: "backend", message: "The record is written by process 7.", turn: 1, code: "store_busy" }],
  });
});

test("a turn has a limit of ten minutes, unless the agent file sets another", async () => {
  const limits: unknown[] = [];
  const stop = new Error("enough");
  const runAgentLoop = ({ timeoutMs }: { timeoutMs?: number | undefined }) => {
    limits.push(timeoutMs);
    throw stop;
  };
  const single = { ...talk(["a"]), isConversation: false };
  const environment = context({ runAgentLoop } as unknown as Partial<AgentRuntime>);
  await expect(runTrial(single, 1, environment)).rejects.toBe(stop);
  const own = { ...environment, agent: { ...environment.agent, limits: { timeoutMs: 5_000 } } };
  await expect(runTrial(single, 1, own)).rejects.toBe(stop);
  expect(limits).toEqual([600_000, 5_000]);
});

test("an error that is not the host's rejects", async () => {
  const broken = context({ openSession: () => Promise.reject(new TypeError("a fault of ours")) });
  await expect(runTrial(talk(["a"]), 1, broken)).rejects.toThrow("a fault of ours");
});
