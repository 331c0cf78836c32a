import type { ListedJoin } from "@bridle/app/warehouses";
import { formatCount } from "@bridle/protocol";
import { indentLines, type Page } from "../../terminal/page.ts";
import { toPrintableLine } from "../../terminal/printable.ts";
import { wrap } from "../../terminal/wrap.ts";

/** A join in two lines: its id, ends and score, and what the data say about it. */
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

function evidenceOf({ evidence, reason, relationship }: ListedJoin): string[] {
  const found = evidence === undefined ? [] : [coverageOf(evidence), ...evidence.signals];
  return [
    ...found,
    ...(relationship === "one-to-one" ? ["one-to-one"] : []),
    ...(reason === undefined ? [] : [reason]),
  ];
}

function coverageOf({ coverage, violations, examples }: NonNullable<ListedJoin["evidence"]>): string {
  if (violations === 0) return "no row without a parent";
  const shown = examples.length === 0 ? "" : ` such as ${examples.join(", ")}`;
  return `${formatCount(violations)} rows without a parent (${((1 - coverage) * 100).toFixed(1)} %)${shown}`;
}
