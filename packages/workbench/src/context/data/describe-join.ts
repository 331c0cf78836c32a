import type { ApiJoins } from "@bridle/client";
import { counted, formatPercent } from "@bridle/protocol/text";

type EndCounts = NonNullable<NonNullable<ApiJoins["joins"][number]["uniqueness"]>["to"]>;
type Join = Omit<ApiJoins["joins"][number], "id">;

const origins: Readonly<Record<Join["origin"], string>> = {
  declared: "declared in the database",
  found: "found in the data",
  person: "decided by a person",
  model: "proposed by a model",
};

/** Describes a join in the wording of `bridle context joins`: `found in the data, score 0.97, no row without a parent`. */
export function describeJoin({ origin, score, evidence, relationship, uniqueness }: Join): string {
  const facts = [
    origins[origin],
    origin === "found" ? `score ${score.toFixed(2)}` : "",
    evidence ? describeCoverage(evidence) : "",
    relationship === "many-to-one" || relationship === "unknown" ? "" : relationship,
    describeRepeats(relationship, uniqueness?.to),
  ];
  return facts.filter(Boolean).join(", ");
}

/** Warns if adding up values over the join would count rows more than once. */
function describeRepeats(relationship: Join["relationship"], to: EndCounts | undefined): string {
  if (relationship === "unknown") return "not measured whether the second end is unique";
  if (relationship !== "many-to-many" && relationship !== "one-to-many") return "";
  const counts = to === undefined ? "" : ` (${counted(to.filled, "row")}, ${counted(to.distinct, "value")})`;
  return `the second end is not unique${counts}: the join repeats rows`;
}

export function describeCoverage({ coverage, violations }: NonNullable<Join["evidence"]>): string {
  if (violations === 0) return "no row without a parent";
  return `${counted(violations, "row")} without a parent (${formatPercent(1 - coverage)})`;
}
