import type { JoinEnd } from "../facts/facts.ts";
import { formatColumnId } from "../facts/identifiers.ts";
import { parseTableId } from "../facts/parse-identifier.ts";
import { describeRepeats } from "../facts/relationship-of.ts";
import type { KnownJoin } from "../knowledge/known.ts";
import { asLine } from "../replies/reply.ts";

/** Describes a join in one line, with its evidence. */
export function describeJoin(join: KnownJoin): string {
  const { from, to, relationship, condition, status, score, origin } = join;
  const parts = [
    `${writeEnd(from)} → ${writeEnd(to)}`,
    ...(relationship === "unknown" ? [] : [relationship]),
    ...(condition === undefined ? [] : [`only if ${asLine(condition, 150)}`]),
    status === "review"
      ? `not confirmed, ${toPercent(score)} likely`
      : origin === "found"
        ? `found in the data`
        : origin,
    ...describeEvidence(join),
    ...[describeRepeats(join, writeEnd(join.to)) ?? []].flat(),
  ];
  return parts.join("; ");
}

/** Describes the effect of the join on rows. Users must be able to see which rows a result leaves out. */
function describeEvidence({ evidence, from }: KnownJoin): string[] {
  if (evidence === undefined) return [];
  if (evidence.violations === 0) return ["every value has a parent"];
  const share = toPercent(1 - evidence.coverage);
  return [
    `${share} of the rows with a value in ${from.columns.map((each) => asLine(each, 80)).join(", ")} have no parent: an inner join leaves them out`,
  ];
}

function writeEnd({ table, columns }: JoinEnd): string {
  const path = parseTableId(table);
  const [only, ...more] = columns;
  if (path === undefined || only === undefined) return asLine(table, 200);
  if (more.length === 0) return asLine(formatColumnId({ ...path, column: only }), 250);
  return asLine(`${table}(${columns.join(", ")})`, 250);
}

export function toPercent(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return "less than 0.1 %";
  return `${percent.toFixed(percent < 10 ? 1 : 0).replace(/\.0$/, "")} %`;
}
