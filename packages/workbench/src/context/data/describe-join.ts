import type { ApiJoins } from "@bridle/client";
import { counted, formatPercent } from "@bridle/protocol/text";

type Join = Omit<ApiJoins["joins"][number], "id">;

const origins: Readonly<Record<Join["origin"], string>> = {
  declared: "declared in the database",
  found: "found in the data",
  person: "decided by a person",
  model: "proposed by a model",
};

/** `found in the data, score 0.97, no row without a parent`, as `bridle context joins` says it. */
export function describeJoin({ origin, score, evidence, relationship }: Join): string {
  const facts = [
    origins[origin],
    origin === "found" ? `score ${score.toFixed(2)}` : "",
    evidence ? describeCoverage(evidence) : "",
    relationship === "one-to-one" ? "one-to-one" : "",
  ];
  return facts.filter(Boolean).join(", ");
}

export function describeCoverage({ coverage, violations }: NonNullable<Join["evidence"]>): string {
  if (violations === 0) return "no row without a parent";
  return `${counted(violations, "row")} without a parent (${formatPercent(1 - coverage)})`;
}
