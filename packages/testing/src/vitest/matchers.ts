import { type MetricConfig, metricsSchema } from "@bridle/agent";
import type { Redactor } from "@bridle/core";
import { z } from "zod";
import type { ExpectedToolConfig } from "../checks/case-config.ts";
import { checkCalls } from "../checks/check-calls.ts";
import { trialResultSchema } from "../result/trial-result.ts";
import { deepFreeze } from "../run/deep-freeze.ts";
import { scoreTurn } from "../run/score-turn.ts";
import { type Background, backgroundOf } from "./answer.ts";
import { failuresText, trialText } from "./failures-text.ts";

/** An entry of `expected_tools` without its name. */
export type HowCalled = Omit<Exclude<ExpectedToolConfig, string>, "name">;

/** What metrics may need beside the answer. */
export interface MatcherFacts {
  groundTruth?: string;
  retrievalContext?: readonly string[];
}

interface Verdict {
  pass: boolean;
  message(): string;
}

/** Contract: what could not be judged throws, so that neither `expect` nor `.not` passes with it. */
export const matchers = { toHaveCalled, toScore, toPass };

function toHaveCalled(received: unknown, tool: string, args?: HowCalled["args"], how: HowCalled = {}): Verdict {
  const { desk, facts, result } = requireAnswer(received, "toHaveCalled");
  const expected = [{ ...how, name: tool, ...(args !== undefined && { args }) }];
  const { expectations, failures } = checkCalls({ expected, calls: facts.calls, known: desk.stage.tools, turn: 1 });
  const own = failures.filter(({ kind }) => kind !== "tool-denied"); // whose calls were denied is no question here
  if (own.some(({ kind }) => kind === "unknown-tool")) throw new Error(desk.redactor.text(failuresText(own, result)));
  const pass = expectations.every(({ ok }) => ok);
  const wanted = expectations.map((each) => each.expected).join(", ");
  const made = facts.calls.map((call) => `${call.tool} ${JSON.stringify(call.input)}`).join(", ");
  const against = `The calls are ${wanted}, which was not to be.\n  came:     ${made}`;
  return {
    pass,
    message: () => desk.redactor.text(pass ? `${against}\n${failuresText([], result)}` : failuresText(own, result)),
  };
}

async function toScore(received: unknown, metric: MetricConfig, more: MatcherFacts = {}): Promise<Verdict> {
  const { desk, facts, result } = requireAnswer(received, "toScore");
  const planned = desk.stage.metricsOf(requireMetric(metric));
  const about = { ...facts, ...withoutCredentials(more, desk.redactor) };
  const { metrics, failures } = await scoreTurn(planned, deepFreeze(about), desk.stage.signal);
  const text = desk.redactor.text(failuresText(failures, result));
  if (metrics.length === 0) throw new Error("The metric is not enabled, so nothing was judged. Remove enabled: false.");
  if (metrics.some(({ outcome }) => outcome === "errored")) throw new Error(text);
  const scores = metrics.map(
    ({ name, score, threshold }) => `${name} is ${score}, and passes (threshold ${threshold})`,
  );
  const against = `${scores.join(", ")}, which was not to be.\n${failuresText([], result)}`;
  const pass = failures.length === 0;
  return { pass, message: () => (pass ? desk.redactor.text(against) : text) };
}

function toPass(received: unknown): Verdict {
  const parsed = trialResultSchema.safeParse(received);
  if (!parsed.success)
    throw new Error("toPass is for what case() of an agent for tests gives. Await it, and hand it over.");
  const trial = parsed.data;
  if (trial.outcome === "errored") throw new Error(trialText(trial));
  const pass = trial.outcome === "passed";
  return { pass, message: () => (pass ? `The case "${trial.case}" passed, which was not to be.` : trialText(trial)) };
}

/** Answers come without credentials; what they are held against has to be the same. */
function withoutCredentials({ groundTruth, retrievalContext }: MatcherFacts, redactor: Redactor) {
  return {
    ...(groundTruth !== undefined && { groundTruth: redactor.text(groundTruth) }),
    ...(retrievalContext && { retrievalContext: retrievalContext.map((each) => redactor.text(each)) }),
  };
}

function requireAnswer(received: unknown, matcher: string): Background {
  const found = backgroundOf(received);
  if (found !== undefined) return found;
  throw new Error(`${matcher} is for an answer of ask() of an agent for tests. Await it, and hand it over as it is.`);
}

function requireMetric(metric: unknown): MetricConfig[] {
  const parsed = metricsSchema.safeParse([metric]);
  if (parsed.success) return parsed.data;
  throw new Error(`The metric cannot be used. Correct it as evaluations has it:\n${z.prettifyError(parsed.error)}`);
}
