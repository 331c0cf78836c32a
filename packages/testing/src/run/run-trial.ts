import type { OpenAgent } from "@bridle/agent";
import { type AgentRun, isBridleError, type Prompt } from "@bridle/protocol";
import type { PlannedCase } from "../plan/plan-cases.ts";
import type { Failure, TrialResult, TurnResult } from "../result/trial-result.ts";
import { errorFailure, noChecks } from "./failures.ts";
import { faultOf } from "./faults.ts";
import { runTurn, type TurnStage } from "./run-turn.ts";

export interface TrialStage extends TurnStage {
  readonly agent: Pick<OpenAgent, "runtime" | "request" | "limits">;
  /** The id of the invocation. */
  readonly id: string;
}

/** Runs a case once. Rejects where that says nothing of it, as `runTurn` does. */
export async function runTrial(planned: PlannedCase, trial: number, stage: TrialStage): Promise<TrialResult> {
  const startedAt = Date.now();
  const started = performance.now();
  const turns: TurnResult[] = [];
  const failures: Failure[] = planned.checks === "some" ? [] : [noChecks(planned.checks)];
  let conversation: Conversation | undefined;
  try {
    conversation = await openTrialConversation(planned, trial, stage);
    for (const turn of planned.turns) {
      const outcome = await runTurn(planned.name, turn, conversation.start, stage);
      turns.push(outcome.result);
      failures.push(...outcome.failures);
      if (!outcome.isWhole) break;
    }
  } catch (error) {
    if (!isBridleError(error) || faultOf(error) !== "the host's") throw error;
    failures.push(errorFailure(error, turns.length + 1)); // around a run, such as by a record that is busy
  } finally {
    await conversation?.close();
  }
  return {
    ...{ case: planned.name, trial, outcome: outcomeOf(failures), startedAt },
    durationMs: Math.round(performance.now() - started),
    ...{ sessionId: conversation?.sessionId ?? null, turns, failures },
  };
}

/** Where the host failed and nothing else did, the trial says nothing of the agent. */
function outcomeOf(failures: readonly Failure[]): TrialResult["outcome"] {
  if (failures.length === 0) return "passed";
  return failures.every(({ kind }) => kind === "backend") ? "errored" : "failed";
}

export interface Conversation {
  readonly sessionId: string | null;
  start(prompt: Prompt): Promise<AgentRun>;
  close(): Promise<void>;
}

/** A session for several turns; a single one is a run of its own. */
export async function openTrialConversation(
  { name, isConversation }: Pick<PlannedCase, "name" | "isConversation">,
  trial: number,
  stage: TrialStage,
): Promise<Conversation> {
  const { agent, id, signal } = stage;
  const { runtime, limits } = agent;
  const labels = { ...agent.request.labels, ...testLabels(id, name, trial) };
  const request = { ...agent.request, labels };
  if (!isConversation) {
    const start = async (prompt: Prompt) => runtime.runAgentLoop({ ...limits, ...request, prompt, signal });
    return { sessionId: null, start, close: async () => {} };
  }
  const session = await runtime.openSession(request);
  return {
    sessionId: session.id,
    start: (prompt) => session.send(prompt, { ...limits, signal }),
    close: () => session.close(),
  };
}

/** By these a run on record is known as one of a test. */
function testLabels(test: string, name: string, trial: number): Record<string, string> {
  return { test, case: name, trial: String(trial) };
}
