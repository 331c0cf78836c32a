import { createRedactor } from "@bridle/core";
import { type AgentRuntime, StoreBusyError } from "@bridle/protocol";
import { expect, test } from "vitest";
import type { PlannedCase } from "../plan/plan-cases.ts";
import { runTrial, type TrialStage } from "./run-trial.ts";

const stage = (runtime: Partial<AgentRuntime>): TrialStage => ({
  agent: { runtime: runtime as AgentRuntime, request: { system: "", tools: [], stepBudget: 5 }, limits: {} },
  ...{ id: "t", baseDir: ".", stepBudget: 5, tools: [], retrieving: new Map(), artifact: async () => undefined },
  ...{ redactor: createRedactor(), signal: new AbortController().signal },
});
const talk = (names: readonly string[]): PlannedCase => ({
  ...{ name: "talk", isConversation: true, checks: "some" },
  turns: names.map((input, index) => ({ number: index + 1, config: { input }, metrics: [] })),
});
const busy = new StoreBusyError("The record is written by process 7.", "/record", { holder: 7 });

test("a session that the record cannot open says nothing of the agent, and leaves the other trials alone", async () => {
  const trial = await runTrial(talk(["a", "b"]), 1, stage({ openSession: () => Promise.reject(busy) }));
  expect(trial).toMatchObject({
    ...{ case: "talk", outcome: "errored", turns: [], sessionId: null },
    failures: [{ kind: "backend", message: "The record is written by process 7.", turn: 1, code: "store_busy" }],
  });
});

test("what is no error of the host rejects", async () => {
  const broken = stage({ openSession: () => Promise.reject(new TypeError("a fault of ours")) });
  await expect(runTrial(talk(["a"]), 1, broken)).rejects.toThrow("a fault of ours");
});
