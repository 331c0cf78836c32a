import type { OpenAgent } from "@bridle/agent";
import { type AgentRun, isBridleError, type Prompt } from "@bridle/protocol";
import type { PlannedCase } from "../plan/plan-cases.ts";
import type { Failure, TrialResult, TurnResult } from "../result/trial-result.ts";
import { errorScope } from "./error-scope.ts";
import { errorFailure, noChecks } from "./failures.ts";
import { runTurn, type TurnEnvironment } from "./run-turn.ts";

export interface TrialEnvironment extends TurnEnvironment {
  readonly agent: Pick<OpenAgent, "runtime" | "request" | "limits">;
  /** The id of the invocation. */
  readonly id: string;
}

/** The time limit of a turn if the file has no `llm_timeout`. Without a limit, a tool that never answers would block the tests forever. */
const maxTurnMs = 600_000;

/** Runs a case once. Rejects like `runTurn` if the trial is inconclusive. */
export async function runTrial(planned: PlannedCase, trial: number, context: TrialEnvironment): Promise<TrialResult> {
  const startedAt = Date.now();
  const started = performance.now();
  const turns: TurnResult[] = [];
  const failures: Failure[] = missingChecks(planned);
  let conversation: TrialConversation | undefined;
  try {
    conversation = await openTrialConversation(planned, trial, context);
    for (const turn of planned.turns) {
      const outcome = await runTurn(planned.name, turn, conversation.start, context);
      turns.push(outcome.result);
      failures.push(...outcome.failures);
      if (!outcome.isWhole) break;
    }
  } catch (error) {
    if (!isBridleError(error) || errorScope(error) !== "host") throw error;
    failures.push(errorFailure(error, turns.length + 1)); // an error outside of a run, such as a busy event log
  } finally {
    await conversation?.close();
  }
  return {
    case: planned.name,
    trial,
    outcome: outcomeOf(failures),
    startedAt,
    durationMs: Math.round(performance.now() - started),
    sessionId: conversation?.sessionId ?? null,
    turns,
    failures,
  };
}

/** Returns a failure for the case if no turn has checks, or else one for each turn without checks. */
function missingChecks({ checks, turns }: PlannedCase): Failure[] {
  if (checks !== "some") return [noChecks(checks)];
  return turns.flatMap((turn) =>
    turn.checks === "idle" || turn.checks === "none" ? [noChecks(turn.checks, turn.number)] : [],
  );
}

/** Returns the outcome. If only the host failed, the trial is inconclusive. */
function outcomeOf(failures: readonly Failure[]): TrialResult["outcome"] {
  if (failures.length === 0) return "passed";
  return failures.every(({ kind }) => kind === "backend") ? "errored" : "failed";
}

export interface TrialConversation {
  readonly sessionId: string | null;
  start(prompt: Prompt): Promise<AgentRun>;
  close(): Promise<void>;
}

/** Opens a session for several turns, or performs a single run for one turn. */
export async function openTrialConversation(
  { name, isConversation }: Pick<PlannedCase, "name" | "isConversation">,
  trial: number,
  context: TrialEnvironment,
): Promise<TrialConversation> {
  const { agent, id, signal } = context;
  const { runtime } = agent;
  const limits = { timeoutMs: maxTurnMs, ...agent.limits };
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

/** Labels that mark a run as part of a test in the event log. */
function testLabels(test: string, name: string, trial: number): Record<string, string> {
  return { test, case: name, trial: String(trial) };
}
