import type { ShownTable } from "@bridle/app/warehouses";
import { counted, formatCount } from "@bridle/protocol";
import { formatMinute, indentLines, type Page } from "../../terminal/page.ts";
import { toPrintable } from "../../terminal/printable.ts";
import { textTable } from "../../terminal/text-table.ts";
import { formatJoin } from "./format-joins.ts";

/** Formats everything about a table on one page: its facts, its columns, its joins. */
export function formatShownTable(table: ShownTable, page: Page): string {
  const { id, description, joins } = table;
  return [
    page.paint("bold", toPrintable(id)),
    ...indentLines(toPrintable(factsOf(table)), "", page),
    ...(description === undefined
      ? []
      : indentLines(toPrintable(`${description.text} (${description.source})`), "", page)),
    "",
    ...textTable(["column", "type", "nulls", "distinct", "values"], table.columns.map(columnRow), page),
    ...describedColumns(table, page),
    ...(joins.length === 0 ? [] : ["", page.paint("dim", "joins")]),
  ]
    .map((line) => `${line}\n`)
    .concat(joins.map((join) => formatJoin(join, page)))
    .join("");
}

function factsOf({ kind, rows, rowsAreExact, sample, key, problem, scannedAt }: ShownTable): string {
  const count = rows === undefined ? [] : [`${rowsAreExact ? "" : "about "}${counted(rows, "row")}`];
  const found = key && (key.declared ? "declared" : `found, score ${key.score.toFixed(2)}`);
  return [
    [kind, ...count, ...(sample === undefined ? [] : [`read: ${sample}`]), `scanned ${formatMinute(scannedAt)}`].join(
      ", ",
    ),
    ...(key ? [`key: ${key.columns.join(", ")} (${found})`] : []),
    ...(problem === undefined ? [] : [`problem: ${problem}`]),
  ].join("\n");
}

type ShownColumn = ShownTable["columns"][number];

function columnRow({ name, nativeType, profile, sensitive }: ShownColumn): string[] {
  if (profile === undefined)
    return [name, nativeType, "", "", sensitive === undefined ? "" : `sensitive: ${sensitive}`];
  const nulls = profile.rows === 0 ? "" : `${((profile.nulls / profile.rows) * 100).toFixed(0)} %`;
  return [
    name,
    nativeType,
    nulls,
    formatCount(profile.distinct),
    sensitive ? `sensitive: ${sensitive}` : valuesOf(profile),
  ];
}

const maxValues = 5;

function valuesOf({ frequent, min, max, distinct }: NonNullable<ShownColumn["profile"]>): string {
  const values = frequent.slice(0, maxValues).map(({ value }) => value);
  const isWhole = frequent.length === distinct && distinct <= maxValues;
  if (isWhole || min === undefined || max === undefined) return values.join(", ");
  return min === max ? min : `${min} … ${max}`;
}

function describedColumns({ columns }: ShownTable, page: Page): string[] {
  const described = columns.filter(({ description }) => description !== undefined);
  const lines = described.flatMap(({ name, description }) =>
    indentLines(toPrintable(`${name}: ${description?.text} (${description?.source})`), "", page),
  );
  return lines.length === 0 ? [] : ["", ...lines];
}
