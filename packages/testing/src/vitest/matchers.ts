import { type MetricConfig, metricsSchema } from "@bridle/agent";
import type { Redactor } from "@bridle/core";
import { z } from "zod";
import type { ExpectedToolConfig } from "../checks/case-config.ts";
import { checkCalls } from "../checks/check-calls.ts";
import { groundTruthFacts } from "../checks/ground-truths.ts";
import { trialResultSchema } from "../result/trial-result.ts";
import { deepFreeze } from "../run/deep-freeze.ts";
import { scoreTurn } from "../run/score-turn.ts";
import { type Background, backgroundOf } from "./answer.ts";
import { failuresText, trialText } from "./failures-text.ts";

/** An entry of `expected_tools` without its name. */
export type HowCalled = Omit<Exclude<ExpectedToolConfig, string>, "name">;

/** Facts that metrics may need besides the answer. */
export interface MatcherFacts {
  /** The expected answer, or a list of accepted answers. */
  groundTruth?: string | readonly string[];
  retrievalContext?: readonly string[];
}

interface MatchResult {
  pass: boolean;
  message(): string;
}

/** Contract: a matcher that cannot decide throws, so that neither `expect` nor `.not` passes. */
export const matchers = { toHaveCalled, toScore, toPass };

/** Checks for a call. With `.not`, failed calls are calls, too. */
function toHaveCalled(
  this: { readonly isNot?: boolean } | undefined,
  received: unknown,
  tool: string,
  args?: HowCalled["args"],
  how: HowCalled = {},
): MatchResult {
  const { fixture, facts, result } = requireAnswer(received, "toHaveCalled");
  const expected = [
    { ...(this?.isNot && { outcome: "executed" as const }), ...how, name: tool, ...(args !== undefined && { args }) },
  ];
  const { expectations, failures } = checkCalls({
    expected,
    calls: facts.calls,
    known: fixture.context.tools,
    turn: 1,
  });
  const own = failures.filter(({ kind }) => kind !== "tool-denied"); // denied calls do not matter here
  if (own.some(({ kind }) => kind === "unknown-tool" || kind === "unknown-argument"))
    throw new Error(fixture.redactor.text(failuresText(own, result)));
  const pass = expectations.every(({ ok }) => ok);
  const wanted = expectations.map((each) => each.expected).join(", ");
  const made = facts.calls.map((call) => `${call.tool} ${JSON.stringify(call.input)}`).join(", ");
  const against = `Expected no call of ${wanted}.\n  received: ${made}`;
  return {
    pass,
    message: () => fixture.redactor.text(pass ? `${against}\n${failuresText([], result)}` : failuresText(own, result)),
  };
}

async function toScore(received: unknown, metric: MetricConfig, more: MatcherFacts = {}): Promise<MatchResult> {
  const { fixture, facts, result } = requireAnswer(received, "toScore");
  const planned = fixture.context.metricsOf(requireMetric(metric));
  const { groundTruth: _own, otherGroundTruths: _others, ...rest } = facts;
  const about = { ...(more.groundTruth === undefined ? facts : rest), ...withoutCredentials(more, fixture.redactor) };
  const { metrics, failures } = await scoreTurn(planned, deepFreeze(about), fixture.context.signal);
  const text = fixture.redactor.text(failuresText(failures, result));
  if (metrics.length === 0) throw new Error("The metric is not enabled, so there is no score. Remove enabled: false.");
  if (metrics.some(({ outcome }) => outcome === "errored")) throw new Error(text);
  const scores = metrics.map(
    ({ name, score, threshold }) => `${name}: expected not to pass, got ${score} (threshold ${threshold})`,
  );
  const against = `${scores.join(", ")}.\n${failuresText([], result)}`;
  const pass = failures.length === 0;
  return { pass, message: () => (pass ? fixture.redactor.text(against) : text) };
}

function toPass(received: unknown): MatchResult {
  const parsed = trialResultSchema.safeParse(received);
  if (!parsed.success)
    throw new Error("toPass needs the result of case() of an agent for tests. Await it, and pass it to expect().");
  const trial = parsed.data;
  if (trial.outcome === "errored") throw new Error(trialText(trial));
  const pass = trial.outcome === "passed";
  return {
    pass,
    message: () => (pass ? `The case "${trial.case}" passed, but was expected not to.` : trialText(trial)),
  };
}

/** Redacts expected texts, because answers arrive without credentials. */
function withoutCredentials({ groundTruth, retrievalContext }: MatcherFacts, redactor: Redactor) {
  return {
    ...(groundTruth !== undefined && groundTruthFacts([groundTruth].flat().map((each) => redactor.text(each)))),
    ...(retrievalContext && { retrievalContext: retrievalContext.map((each) => redactor.text(each)) }),
  };
}

function requireAnswer(received: unknown, matcher: string): Background {
  const found = backgroundOf(received);
  if (found !== undefined) return found;
  throw new Error(
    `${matcher} needs an answer of ask() of an agent for tests. Await it, and pass it to expect() unchanged.`,
  );
}

function requireMetric(metric: unknown): MetricConfig[] {
  const parsed = metricsSchema.safeParse([metric]);
  if (parsed.success) return parsed.data;
  throw new Error(`The metric cannot be used. Write it as in evaluations:\n${z.prettifyError(parsed.error)}`);
}
