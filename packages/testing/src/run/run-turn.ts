import type { Redactor } from "@bridle/core";
import { type AgentRun, isBridleError, noUsage, type Prompt, type RunEvent } from "@bridle/protocol";
import { checkCalls } from "../checks/check-calls.ts";
import { promptOf } from "../checks/prompt-of.ts";
import { type Retrieving, retrievalContextOf } from "../checks/retrieval-context.ts";
import type { TurnFacts } from "../metrics/turn-facts.ts";
import type { PlannedTurn } from "../plan/plan-cases.ts";
import { type Failure, type TurnResult, turnResultSchema } from "../result/trial-result.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { emptyAnswer, errorFailure, runFailure, setupFailed } from "./failures.ts";
import { faultOf } from "./faults.ts";
import { type RunStory, storyOf } from "./run-story.ts";
import { scoreTurn } from "./score-turn.ts";

/** What all turns of an invocation have in common. */
export interface TurnStage {
  /** The folder of the agent's file. */
  readonly baseDir: string;
  readonly stepBudget: number;
  /** Names of all tools that the agent has, the host's own among them. */
  readonly tools: readonly string[];
  readonly retrieving: Retrieving;
  /** A content that is kept whole, by its id. */
  artifact(id: string): Promise<string | undefined>;
  /** Answers come without credentials; what they are held against has to be the same. */
  readonly redactor: Redactor;
  /** Aborted when what runs is given up. */
  readonly signal: AbortSignal;
}

export interface TurnOutcome {
  readonly result: TurnResult;
  readonly failures: readonly Failure[];
  /** Whether the run ended by itself, so that the next turn can go on from it. */
  readonly isWhole: boolean;
}

/**
 * Runs one turn and judges it. Rejects where it says nothing of its case: with what ends the whole invocation, or with
 * the reason of the signal.
 */
export async function runTurn(
  caseName: string,
  planned: PlannedTurn,
  start: (prompt: Prompt) => Promise<AgentRun>,
  stage: TurnStage,
): Promise<TurnOutcome> {
  const { config, number: turn } = planned;
  const nothing = { result: withoutRun(planned), isWhole: false };
  const prompt = await promptOf(config.input, config.files ?? [], stage.baseDir).catch((error: unknown) => ({ error }));
  if (typeof prompt === "object" && "error" in prompt)
    return { ...nothing, failures: [setupFailed(turn, prompt.error)] };
  stage.signal.throwIfAborted();
  const run = await start(prompt).catch((error: unknown) => ({ error }));
  if ("error" in run) {
    if (!isBridleError(run.error) || isOfAll(run.error)) throw run.error;
    return { ...nothing, failures: [errorFailure(run.error, turn)] };
  }
  const story = await follow(run, stage.signal);
  return judge(caseName, planned, { run, story }, stage);
}

/** Waits for the end of a run, and rejects where its case is not to blame for it. */
async function follow(run: AgentRun, signal: AbortSignal): Promise<RunStory> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  const result = await run.result;
  if (result.stopReason === "stopped") signal.throwIfAborted();
  if (result.error !== undefined && faultOf(result.error) === "everyone's") throw result.error;
  return storyOf(events, result);
}

interface Ended {
  readonly run: AgentRun;
  readonly story: RunStory;
}

async function judge(caseName: string, planned: PlannedTurn, ended: Ended, stage: TurnStage): Promise<TurnOutcome> {
  const { config, number: turn, metrics } = planned;
  const { result } = ended.story;
  const failed = runFailure(result, { turn, stepBudget: stage.stepBudget });
  const retrieved = config.retrieval_context ?? (await retrievedIn(ended.story, stage));
  const facts = factsOf(caseName, planned, ended.story, retrieved, stage);
  const turnResult = resultOf(planned, ended, facts);
  const isWhole = result.stopReason === "natural";
  if (!isWhole && result.stopReason !== "budget")
    return { result: turnResult, failures: failed ? [failed] : [], isWhole };
  const calls = checkCalls({ expected: config.expected_tools ?? [], calls: facts.calls, known: stage.tools, turn });
  const scored = isWhole ? await scoreTurn(metrics, facts, stage.signal) : { metrics: [], failures: [] };
  stage.signal.throwIfAborted();
  const empty = isWhole && isEmpty(facts.answer) ? [emptyAnswer(turn)] : [];
  return {
    result: { ...turnResult, expectedTools: [...calls.expectations], metrics: [...scored.metrics] },
    failures: [...(failed ? [failed] : []), ...empty, ...calls.failures, ...scored.failures],
    isWhole,
  };
}

/** Nothing of it would be seen: not a letter, a number, a mark or a symbol. */
function isEmpty(answer: string): boolean {
  return !/[\p{L}\p{N}\p{P}\p{S}]/u.test(answer);
}

/** What tools retrieved, whole: a judge sees more of it than a model with a small window was told. */
async function retrievedIn({ calls, artifacts }: RunStory, stage: TurnStage): Promise<readonly string[]> {
  const whole = calls.map(async (call) => {
    const id = stage.retrieving.has(call.tool) ? artifacts.get(call.callId) : undefined;
    const output = id === undefined ? undefined : await stage.artifact(id);
    return output === undefined ? call : { ...call, output };
  });
  return retrievalContextOf(await Promise.all(whole), stage.retrieving);
}

/** What metrics and graders are handed: a copy that nobody can change. */
function factsOf(
  caseName: string,
  { config, number }: PlannedTurn,
  story: RunStory,
  retrieved: readonly string[],
  { redactor }: Pick<TurnStage, "redactor">,
): TurnFacts {
  const { result, calls, transcript, durationMs } = story;
  const { object } = result;
  const facts: TurnFacts = {
    ...{ caseName, turn: number, input: config.input, calls, transcript, steps: result.steps, durationMs },
    answer: object === undefined ? result.text : JSON.stringify(object),
    ...(object !== undefined && { object }),
    ...(config.ground_truth !== undefined && { groundTruth: redactor.text(config.ground_truth) }),
    retrievalContext: retrieved.map((text) => redactor.text(text)),
    ...(result.cost && { costUsd: result.cost.usd }),
  };
  const copy: TurnFacts = JSON.parse(JSON.stringify(facts)); // as it is kept: what tools return beside their text is JSON there
  return deepFreeze(copy);
}

function resultOf(planned: PlannedTurn, { run, story }: Ended, facts: TurnFacts): TurnResult {
  const { result, durationMs } = story;
  return {
    ...withoutRun(planned),
    answer: facts.answer,
    object: facts.object === undefined ? null : turnResultSchema.shape.object.parse(facts.object),
    ...{ runId: run.id, stopReason: result.stopReason, model: result.model ?? null, steps: result.steps },
    ...{ durationMs, usage: result.usage, cost: result.cost ?? null },
    transcript: [...facts.transcript],
    retrievalContext: [...facts.retrievalContext],
  };
}

function withoutRun({ config }: PlannedTurn): TurnResult {
  return {
    input: config.input,
    files: (config.files ?? []).map(({ path }) => path),
    groundTruth: config.ground_truth ?? null,
    ...{ answer: "", object: null, runId: null, stopReason: null, model: null, steps: 0, durationMs: 0 },
    ...{ usage: noUsage, cost: null, transcript: [], retrievalContext: [], expectedTools: [], metrics: [] },
  };
}

/** What would be the same for every other case. */
function isOfAll(error: Parameters<typeof faultOf>[0]): boolean {
  return faultOf(error) === "everyone's" || error.code === "config";
}
