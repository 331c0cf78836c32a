import type { Redactor } from "@bridle/core";
import { type AgentRun, isBridleError, noUsage, type Prompt, type RunEvent } from "@bridle/protocol";
import { buildPrompt } from "../checks/build-prompt.ts";
import { checkCalls, type KnownTools } from "../checks/check-calls.ts";
import { groundTruthFacts, groundTruthsIn, storedGroundTruths } from "../checks/ground-truths.ts";
import { type Retrieving, retrievalContextOf } from "../checks/retrieval-context.ts";
import type { PlannedTurn } from "../plan/plan-cases.ts";
import { type Failure, type TurnResult, turnResultSchema } from "../result/trial-result.ts";
import type { TurnFacts } from "../result/turn-facts.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { errorScope } from "./error-scope.ts";
import { emptyAnswer, errorFailure, runFailure, setupFailed } from "./failures.ts";
import { scoreTurn } from "./score-turn.ts";
import { readTrajectory, type Trajectory } from "./trajectory.ts";

/** The environment that all turns of an invocation share. */
export interface TurnEnvironment {
  /** The folder of the agent file. */
  readonly baseDir: string;
  readonly stepBudget: number;
  readonly tools: KnownTools;
  readonly retrieving: Retrieving;
  /** Reads the content of an artifact, by its id. */
  artifact(id: string): Promise<string | undefined>;
  /** Redacts expected texts, because answers are redacted, too. */
  readonly redactor: Redactor;
  /** Aborted if the running trials should stop. */
  readonly signal: AbortSignal;
}

export interface TurnOutcome {
  readonly result: TurnResult;
  readonly failures: readonly Failure[];
  /** Whether the run ended naturally, so that the next turn can follow. */
  readonly isWhole: boolean;
}

/**
 * Runs one turn and scores it. Rejects if the turn is inconclusive, with an error that ends the whole invocation, or with the signal's
 * reason.
 */
export async function runTurn(
  caseName: string,
  planned: PlannedTurn,
  start: (prompt: Prompt) => Promise<AgentRun>,
  context: TurnEnvironment,
): Promise<TurnOutcome> {
  const { config, number: turn } = planned;
  const nothing = { result: withoutRun(planned), isWhole: false };
  const prompt = await buildPrompt(config.input, config.files ?? [], context.baseDir).catch((error: unknown) => ({
    error,
  }));
  if (typeof prompt === "object" && "error" in prompt)
    return { ...nothing, failures: [setupFailed(turn, prompt.error)] };
  context.signal.throwIfAborted();
  const run = await start(prompt).catch((error: unknown) => ({ error }));
  if ("error" in run) {
    if (!isBridleError(run.error) || concernsInvocation(run.error)) throw run.error;
    return { ...nothing, failures: [errorFailure(run.error, turn)] };
  }
  const trajectory = await follow(run, context.signal);
  return evaluate(caseName, planned, { run, trajectory }, context);
}

/** Waits for the end of a run. Rejects if the run ended for a reason outside of its case. */
async function follow(run: AgentRun, signal: AbortSignal): Promise<Trajectory> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  const result = await run.result;
  if (result.stopReason === "stopped") signal.throwIfAborted();
  if (result.error !== undefined && errorScope(result.error) === "invocation") throw result.error;
  return readTrajectory(events, result);
}

interface Ended {
  readonly run: AgentRun;
  readonly trajectory: Trajectory;
}

async function evaluate(
  caseName: string,
  planned: PlannedTurn,
  ended: Ended,
  context: TurnEnvironment,
): Promise<TurnOutcome> {
  const { config, number: turn, metrics } = planned;
  const { result } = ended.trajectory;
  const failed = runFailure(result, { turn, stepBudget: context.stepBudget });
  const retrieved = config.retrieval_context ?? (await retrievedIn(ended.trajectory, context));
  const facts = factsOf(caseName, planned, ended.trajectory, retrieved, context);
  const turnResult = resultOf(planned, ended, facts);
  const isWhole = result.stopReason === "natural";
  if (!isWhole && result.stopReason !== "budget")
    return { result: turnResult, failures: failed ? [failed] : [], isWhole };
  const { expected_tools: expected, expected_tools_mode: mode } = config;
  const calls = checkCalls({ expected, mode, calls: facts.calls, known: context.tools, turn });
  const scored = isWhole ? await scoreTurn(metrics, facts, context.signal) : { metrics: [], failures: [] };
  context.signal.throwIfAborted();
  const empty = isWhole && isEmpty(facts.answer) ? [emptyAnswer(turn)] : [];
  return {
    result: { ...turnResult, expectedTools: [...calls.expectations], metrics: [...scored.metrics] },
    failures: [...(failed ? [failed] : []), ...empty, ...calls.failures, ...scored.failures],
    isWhole,
  };
}

/**
 * Letters and symbols that are not visible: Hangul fillers, the blank Braille pattern, a musical symbol and the placeholder of embedded
 * objects.
 */
const blank = String.raw`\p{Default_Ignorable_Code_Point}\u2800\u{1D159}\uFFFC`;
const visible = new RegExp(String.raw`[[\p{L}\p{N}\p{P}\p{S}]--[${blank}]]`, "v");

/** Whether an answer has no visible character: no letter, number, punctuation or symbol. */
function isEmpty(answer: string): boolean {
  return !visible.test(answer);
}

/** Returns the whole retrieved text, because a judge can read more of it than a model with a small window. */
async function retrievedIn({ calls, artifacts }: Trajectory, context: TurnEnvironment): Promise<readonly string[]> {
  const whole = calls.map(async (call) => {
    const id = context.retrieving.has(call.tool) ? artifacts.get(call.callId) : undefined;
    const output = id === undefined ? undefined : await context.artifact(id);
    return output === undefined ? call : { ...call, output };
  });
  return retrievalContextOf(await Promise.all(whole), context.retrieving);
}

/** Returns the facts for metrics and graders as a frozen copy. */
function factsOf(
  caseName: string,
  { config, number }: PlannedTurn,
  trajectory: Trajectory,
  retrieved: readonly string[],
  { redactor }: Pick<TurnEnvironment, "redactor">,
): TurnFacts {
  const { result, calls, transcript, durationMs } = trajectory;
  const { object } = result;
  const facts: TurnFacts = {
    caseName,
    turn: number,
    input: config.input,
    calls,
    transcript,
    steps: result.steps,
    durationMs,
    config: config.turn_config ?? {},
    answer: object === undefined ? result.text : JSON.stringify(object),
    ...(object !== undefined && { object }),
    ...groundTruthFacts(groundTruthsIn(config).map((text) => redactor.text(text))),
    retrievalContext: retrieved.map((text) => redactor.text(text)),
    ...(result.cost && !result.cost.partial && { costUsd: result.cost.usd }), // a partial cost cannot be scored
  };
  const copy: TurnFacts = JSON.parse(JSON.stringify(facts)); // as in the result file, where structured results are JSON
  return deepFreeze(copy);
}

function resultOf(planned: PlannedTurn, { run, trajectory }: Ended, facts: TurnFacts): TurnResult {
  const { result, durationMs } = trajectory;
  return {
    ...withoutRun(planned),
    answer: facts.answer,
    object: facts.object === undefined ? null : turnResultSchema.shape.object.parse(facts.object),
    runId: run.id,
    stopReason: result.stopReason,
    model: result.model ?? null,
    steps: result.steps,
    durationMs,
    usage: result.usage,
    cost: result.cost ?? null,
    transcript: [...facts.transcript],
    retrievalContext: [...facts.retrievalContext],
  };
}

function withoutRun({ config }: PlannedTurn): TurnResult {
  return {
    input: config.input,
    files: (config.files ?? []).map(({ path }) => path),
    ...storedGroundTruths(groundTruthsIn(config)),
    answer: "",
    object: null,
    runId: null,
    stopReason: null,
    model: null,
    steps: 0,
    durationMs: 0,
    usage: noUsage,
    cost: null,
    transcript: [],
    retrievalContext: [],
    expectedTools: [],
    metrics: [],
  };
}

/** Whether an error would be the same for every other case. */
function concernsInvocation(error: Parameters<typeof errorScope>[0]): boolean {
  return errorScope(error) === "invocation" || error.code === "config";
}
