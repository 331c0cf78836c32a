/** Refusals that are allowed although a query has an answer by the laws. Any other refusal of such a query is a fault. */
import type { MetricRefusal, MetricRefusalReason } from "../../src/refusals/metric-refusal.ts";

interface LawfulRefusal {
  readonly reason: MetricRefusalReason;
  readonly message: RegExp;
  readonly why: string;
}

const lawfulRefusals: readonly LawfulRefusal[] = [
  {
    reason: "ambiguous_question",
    message: /^A filter and a dimension both use rows of /,
    why: "The filter could select the facts, with all of their groups, or the rows that lead to the groups.",
  },
  {
    reason: "unsupported",
    message: /has no median/,
    why: "The engine has no such aggregate over rows of several periods.",
  },
  {
    reason: "unsupported",
    message: /^(lower|upper) /,
    why: "The engine changes the letters of ASCII only.",
  },
  {
    reason: "unsupported",
    message: /so the groups do not add up to a total/,
    why: "Shares of rows that are in several groups do not add up to one.",
  },
  {
    reason: "ambiguous_question",
    message: /^includeEmpty asks for all groups of /,
    why: "No model has all combinations of the groups of two models.",
  },
  {
    reason: "ambiguous_question",
    message: /^With includeEmpty, the filter .* names both groups and rows of facts/,
    why: "The condition decides about groups, or about what is counted in them.",
  },
  {
    reason: "invalid_query",
    message: /^A metric looks back by .* does not consist of whole periods/,
    why: "A month before a week is no week.",
  },
  {
    reason: "ambiguous_question",
    message: /^The filter .* divides a .*, and a metric of the query looks at other/,
    why: "It could mean a part of the period, or all of it.",
  },
  {
    reason: "unsupported",
    message: /^The segment .* holds a bound of time, and a metric of the query looks at other periods/,
    why: "Only what the query itself says about time is known to cut the result.",
  },
];

export function isLawful({ reason, message }: MetricRefusal): boolean {
  return lawfulRefusals.some((each) => each.reason === reason && each.message.test(message));
}
