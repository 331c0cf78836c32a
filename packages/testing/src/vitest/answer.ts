import { given, optionsCheck } from "@bridle/protocol";
import { z } from "zod";
import type { ExpectedToolConfig, FileInput, TurnConfig } from "../checks/case-config.ts";
import { groundTruthFacts, groundTruthsOfResult } from "../checks/ground-truths.ts";
import type { Call, CallEntry } from "../result/call.ts";
import type { Failure, TurnResult } from "../result/trial-result.ts";
import type { TurnFacts } from "../result/turn-facts.ts";
import { deepFreeze } from "../run/deep-freeze.ts";
import { redactTrial } from "../run/redact-trial.ts";
import { openTrialConversation, type TrialConversation } from "../run/run-trial.ts";
import { runTurn } from "../run/run-turn.ts";
import type { AgentFixture } from "./agent-fixture.ts";
import { failuresText } from "./failures-text.ts";

/** Options of an input, with the same meaning as the fields of a test case. */
export interface AskOptions {
  /** Files to send. Paths are relative to the folder of the agent file. */
  files?: readonly FileInput[];
  /** The expected answer, or a list of accepted answers. */
  groundTruth?: string | readonly string[];
  /** Retrieved text that replaces the tools' results. */
  retrievalContext?: readonly string[];
  /**
   * The expected calls, which are checked before the answer is returned. `{ name, outcome: "denied" }` expects a denied call, and `none` no
   * call at all.
   */
  expectedTools?: readonly ExpectedToolConfig[] | "none";
  /** Whether order matters, and whether other calls are allowed. Default: `superset`. */
  expectedToolsMode?: TurnConfig["expected_tools_mode"];
}

const checkOptions = optionsCheck<AskOptions>("ask", {
  files: given.list.optional(),
  groundTruth: z.union([z.string(), given.list]).optional(),
  retrievalContext: given.list.optional(),
  expectedTools: z.union([z.literal("none"), given.list]).optional(),
  expectedToolsMode: given.text.optional(),
});

/** The answer of an agent, with its calls and costs. It contains no credentials. */
export interface Answer {
  readonly text: string;
  /** The object that the answer contains with `response_format`, or else `null`. */
  readonly object: TurnResult["object"];
  readonly calls: readonly Call[];
  readonly transcript: readonly CallEntry[];
  readonly retrievalContext: readonly string[];
  /** The number of model responses. */
  readonly steps: number;
  readonly durationMs: number;
  readonly model: string | null;
  readonly usage: TurnResult["usage"];
  readonly cost: TurnResult["cost"];
  /** The id of the run, for `bridle replay`. */
  readonly runId: string | null;
}

/** Sends several inputs, one after the other, in one session. */
export interface AgentConversation {
  ask(input: string, options?: AskOptions): Promise<Answer>;
}

/** Facts about an answer that matchers need, in addition to its public fields. */
export interface Background {
  readonly fixture: AgentFixture;
  readonly facts: TurnFacts;
  readonly result: TurnResult;
}

const backgrounds = new WeakMap<object, Background>();

/** Returns the facts about an agent's answer for tests; `undefined` for other values. */
export function backgroundOf(answer: unknown): Background | undefined {
  return typeof answer === "object" && answer !== null ? backgrounds.get(answer) : undefined;
}

/** Opens a session if turns can follow each other, or else performs a run for each of them. */
export function createConversation(fixture: AgentFixture, name: string, isConversation: boolean): AgentConversation {
  let number = 0;
  let opening: Promise<TrialConversation> | undefined;
  return {
    async ask(input, options = {}) {
      checkOptions(options);
      number += 1;
      const turn = number;
      opening ??= openTrialConversation({ name, isConversation }, 1, fixture.context);
      const { start } = await opening;
      const planned = { number: turn, config: configOf(input, options), metrics: [], checks: "some" as const }; // the program checks the answer
      const { result, failures } = await runTurn(name, planned, start, fixture.context);
      const shown = redacted(fixture, result, failures);
      if (failures.length > 0) throw new Error(failuresText(shown.failures, shown.turn));
      const answer = answerOf(shown.turn);
      backgrounds.set(answer, { fixture, result: shown.turn, facts: factsOf(name, turn, result) });
      return answer;
    },
  };
}

function configOf(input: string, options: AskOptions): TurnConfig {
  const { files, groundTruth, retrievalContext, expectedTools, expectedToolsMode } = options;
  return {
    input,
    ...(files && { files: [...files] }),
    ...(groundTruth !== undefined && {
      ground_truth: typeof groundTruth === "string" ? groundTruth : [...groundTruth],
    }),
    ...(retrievalContext && { retrieval_context: [...retrievalContext] }),
    ...(expectedTools && { expected_tools: expectedTools === "none" ? expectedTools : [...expectedTools] }),
    ...(expectedToolsMode && { expected_tools_mode: expectedToolsMode }),
  };
}

function redacted({ redactor }: AgentFixture, result: TurnResult, failures: readonly Failure[]) {
  const around = { case: "", trial: 1, outcome: "passed", startedAt: 0, durationMs: 0, sessionId: null } as const;
  const trial = redactTrial({ ...around, turns: [result], failures: [...failures] }, redactor);
  return { turn: trial.turns[0] ?? result, failures: trial.failures };
}

function answerOf(result: TurnResult): Answer {
  const { answer, object, transcript, retrievalContext, steps, durationMs, model, usage, cost, runId } = result;
  return {
    text: answer,
    object,
    calls: callsOf(transcript),
    transcript,
    retrievalContext,
    steps,
    durationMs,
    model,
    usage,
    cost,
    runId,
  };
}

/** Returns the facts for metrics and graders. */
function factsOf(caseName: string, turn: number, result: TurnResult): TurnFacts {
  const { input, answer, object, retrievalContext, transcript, steps, durationMs, cost } = result;
  return deepFreeze({
    caseName,
    turn,
    input,
    answer,
    retrievalContext,
    transcript,
    steps,
    durationMs,
    config: {},
    calls: callsOf(transcript),
    ...(object !== null && { object }),
    ...groundTruthFacts(groundTruthsOfResult(result)),
    ...(cost && !cost.partial && { costUsd: cost.usd }),
  });
}

function callsOf(transcript: readonly CallEntry[]): Call[] {
  return transcript.filter((entry) => entry.kind === "call");
}
