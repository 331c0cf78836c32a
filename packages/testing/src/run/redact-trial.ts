import type { Redactor } from "@bridle/core";
import type { CallEntry } from "../result/call.ts";
import type { Failure, MetricResult, TrialResult, TurnResult } from "../result/trial-result.ts";

/**
 * Removes credentials from a result: from all text of users, models, tools and hosts. Fixed words of the schema, such as `passed`, are kept
 * even if they are a credential.
 */
export function redactTrial(result: TrialResult, redactor: Redactor): TrialResult {
  const text = (value: string) => redactor.text(value);
  const maybe = (value: string | null) => (value === null ? null : text(value));
  const json = <T>(value: T): T => redactor.value(value) as T; // the structure stays the same: only texts and keys change

  const failure = (given: Failure): Failure => ({
    ...given,
    message: text(given.message),
    expected: maybe(given.expected),
    received: maybe(given.received),
  });
  const entry = (given: CallEntry): CallEntry => {
    if (given.kind === "user") return { ...given, text: text(given.text), attachments: given.attachments.map(text) };
    if (given.kind !== "call") return { ...given, text: text(given.text) };
    const { tool, input, output, structured, rule } = given;
    const beside = structured === undefined ? {} : { structured: json(structured) };
    return { ...given, tool: text(tool), input: json(input), output: maybe(output), ...beside, rule: maybe(rule) };
  };
  const metric = (given: MetricResult): MetricResult => ({
    ...given,
    name: text(given.name),
    reason: maybe(given.reason),
    expected: maybe(given.expected),
    received: maybe(given.received),
    evidence: json(given.evidence),
    judgement: given.judgement && { ...given.judgement, model: maybe(given.judgement.model) },
  });
  const turn = (given: TurnResult): TurnResult => ({
    ...given,
    input: text(given.input),
    files: given.files.map(text),
    groundTruth: maybe(given.groundTruth),
    ...(given.otherGroundTruths && { otherGroundTruths: given.otherGroundTruths.map(text) }),
    answer: text(given.answer),
    object: json(given.object),
    model: maybe(given.model),
    transcript: given.transcript.map(entry),
    retrievalContext: given.retrievalContext.map(text),
    expectedTools: given.expectedTools.map(({ expected, ok, message }) => ({
      expected: text(expected),
      ok,
      message: maybe(message),
    })),
    metrics: given.metrics.map(metric),
  });
  return { ...result, case: text(result.case), turns: result.turns.map(turn), failures: result.failures.map(failure) };
}
