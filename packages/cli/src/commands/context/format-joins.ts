import type { ListedJoin } from "@bridle/app/warehouses";
import { formatCount } from "@bridle/protocol";
import { indentLines, type Page } from "../../terminal/page.ts";
import { toPrintableLine } from "../../terminal/printable.ts";
import { wrap } from "../../terminal/wrap.ts";

/** Formats a join in two lines: its id, ends and score, and the evidence in the data. */
export function formatJoin(join: ListedJoin, page: Page): string {
  const { id, from, to, status, origin, condition } = join;
  const ends = toPrintableLine(
    `${formatEnd(from)} → ${formatEnd(to)}${condition === undefined ? "" : ` if ${condition}`}`,
  );
  const [first = "", ...more] = wrap(`${id}  ${ends}`, page.width);
  const rest = more.flatMap((line) => indentLines(line, "  ", page));
  const title = [first.replace(id, page.paint("bold", id)), ...rest];
  const facts = [status === "review" ? "to review" : origin, formatScore(join), ...evidenceOf(join)].filter(Boolean);
  return `${[...title, ...indentLines(toPrintableLine(facts.join(", ")), "  ", page)].join("\n")}\n`;
}

function formatEnd({ table, columns }: ListedJoin["from"]): string {
  return columns.length === 1 ? `${table}.${columns[0]}` : `${table} (${columns.join(", ")})`;
}

function formatScore({ origin, score }: ListedJoin): string {
  return origin === "found" ? `score ${score.toFixed(2)}` : "";
}

function evidenceOf({ evidence, reason, relationship, uniqueness, to }: ListedJoin): string[] {
  const found = evidence === undefined ? [] : [coverageOf(evidence), ...evidence.signals];
  return [
    ...found,
    ...(relationship === "many-to-one" || relationship === "unknown" ? [] : [relationship]),
    ...repeatsOf({ relationship, uniqueness, to }),
    ...(reason === undefined ? [] : [reason]),
  ];
}

/** Warns that adding up values over the join counts rows repeatedly, or that this is unknown. */
function repeatsOf({ relationship, uniqueness, to }: Pick<ListedJoin, "relationship" | "uniqueness" | "to">): string[] {
  const columns = to.columns.join(", ");
  if (relationship === "unknown") return [`it was not measured whether ${columns} is unique`];
  if (relationship !== "many-to-many" && relationship !== "one-to-many") return [];
  const { filled = 0, distinct = 0 } = uniqueness?.to ?? {};
  const counts = filled === 0 ? "" : ` (${formatCount(filled)} rows, ${formatCount(distinct)} values)`;
  return [`${columns} is not unique${counts}: the join repeats rows`];
}

function coverageOf({ coverage, violations, examples }: NonNullable<ListedJoin["evidence"]>): string {
  if (violations === 0) return "no row without a parent";
  const shown = examples.length === 0 ? "" : ` such as ${examples.join(", ")}`;
  return `${formatCount(violations)} rows without a parent (${((1 - coverage) * 100).toFixed(1)} %)${shown}`;
}
