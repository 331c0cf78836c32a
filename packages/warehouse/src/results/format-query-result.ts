/** A result as a Markdown table for a model, within a budget of tokens. */
import type { QueryResult } from "../warehouse/warehouse.ts";
import { formatCell } from "./format-cell.ts";

export interface FormatOptions {
  /** The most tokens that the text may have. Default: 2,000. */
  readonly tokens?: number | undefined;
}

/** Characters of one value that are shown: the most with which a row takes at most a half of the space. */
const mostInCell = [300, 100, 40, 15] as const;
/** Characters of a name of a column that are shown. */
const mostInName = 100;
/** Tokens for the sentences below the table. */
const forNotes = 150;

/**
 * A result as a Markdown table, with a sentence for each thing that was left out: rows, columns, the rest of long values, masked
 * values and hidden rows. The text never has more tokens than the budget, if that is 200 or more.
 *
 * @example formatQueryResult(await warehouse.query("SELECT count(*) AS n FROM orders")) // "| n |\n| --- |\n| 12 |\n"
 */
export function formatQueryResult(result: QueryResult, { tokens = 2_000 }: FormatOptions = {}): string {
  const table = new TableText(result, Math.max(0, tokens - forNotes));
  const notes = [...table.notes, ...describeRules(result)];
  return `${table.text}\n${fitNotes(notes, tokens - countTokens(table.text) - 1)}`;
}

/** About how many tokens a text has, rather too many than too few. */
export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3);
}

/** The part of a result that fits. */
class TableText {
  readonly text: string;
  readonly notes: readonly string[];

  constructor(result: QueryResult, tokens: number) {
    const { names: shown, inCell } = chooseSizes(result, tokens);
    const lines = [lineOf(shown), lineOf(shown.map(() => "---"))];
    let used = countTokens(lines.join("\n"));
    let cut = 0;
    let count = 0;
    for (const row of result.rows) {
      const cells = shown.map((_, index) => formatCell(row[index] ?? null, inCell));
      const line = lineOf(cells.map(({ text }) => text));
      used += countTokens(line) + 1;
      if (used > tokens) break;
      lines.push(line);
      count += 1;
      cut += cells.filter(({ isCut }) => isCut).length;
    }
    this.text = lines.join("\n");
    this.notes = describeCuts(result, { rows: count, columns: shown.length, values: cut });
  }
}

interface Sizes {
  /** The names of the columns that are shown. */
  readonly names: readonly string[];
  readonly inCell: number;
}

/** Shorter values are shown of wide rows, and fewer columns if not even one row would fit. */
function chooseSizes(result: QueryResult, tokens: number): Sizes {
  const names = columnsThatFit(result, tokens);
  const [first = []] = result.rows;
  const space = tokens - countTokens(lineOf(names)) - 6 * names.length;
  const sizeOf = (count: number, inCell: number) =>
    countTokens(lineOf(first.slice(0, count).map((value) => formatCell(value, inCell).text)));
  const inCell = mostInCell.find((characters) => sizeOf(names.length, characters) <= space / 2) ?? mostInCell[3];
  let count = names.length;
  while (count > 1 && sizeOf(count, inCell) > space) count = Math.floor(count / 2);
  return { names: names.slice(0, count), inCell };
}

/** At most half of the tokens are for the names of columns. */
function columnsThatFit({ columns }: QueryResult, tokens: number): readonly string[] {
  const shown: string[] = [];
  let used = 0;
  for (const { name } of columns) {
    const { text } = formatCell(name, mostInName);
    used += countTokens(`${text} | --- `) + 1;
    if (used > tokens / 2 && shown.length > 0) break;
    shown.push(text);
  }
  return shown;
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

interface Shown {
  readonly rows: number;
  readonly columns: number;
  readonly values: number;
}

function describeCuts({ rows, columns, truncated }: QueryResult, shown: Shown): string[] {
  const reason = truncated === "bytes" ? "size" : "number of rows";
  const isWhole = truncated === undefined;
  return [
    ...(rows.length === 0 ? ["There are no rows."] : []),
    ...(shown.rows < rows.length
      ? [`Only the first ${shown.rows} of ${rows.length} rows that were read are shown.`]
      : []),
    ...(isWhole
      ? []
      : [`The statement has more rows: reading ended at the limit on the ${reason}, after ${rows.length} rows.`]),
    ...(shown.columns < columns.length
      ? [`Only the first ${shown.columns} of ${columns.length} columns are shown.`]
      : []),
    ...(shown.values > 0
      ? [`${shown.values} long values are cut. Select a part of them, such as their beginning.`]
      : []),
  ];
}

function describeRules({ masked, filtered }: QueryResult): string[] {
  return [
    ...(masked.length > 0 ? [`Sensitive values are replaced by digests: ${listNames(masked)}.`] : []),
    ...(filtered.length > 0 ? [`A rule of the connection hides some rows of ${listNames(filtered)}.`] : []),
  ];
}

/** More names do not fit. */
const mostNames = 5;

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => formatCell(name, mostInName).text);
  return names.length > mostNames ? `${shown.join(", ")} and ${names.length - mostNames} more` : shown.join(", ");
}

function fitNotes(notes: readonly string[], tokens: number): string {
  const lines = notes.map((note) => `\n${note}`);
  while (lines.length > 0 && countTokens(`${lines.join("")}\n`) > tokens) lines.pop();
  return lines.length === 0 ? "" : `${lines.join("")}\n`;
}
