import type { Models } from "@bridle/app/status";
import { toPrintableLine } from "../../terminal/printable.ts";
import { wrap } from "../../terminal/wrap.ts";

type Row = Models["models"][number];

const widest = 80;
/** The widths of the two columns of figures after a name. */
const figures = 26;

/** Formats the models as text: a line for each with its figures, then its other names and the roles that use it, then the sources. */
export function formatModels(models: Models, columns = widest): string {
  const width = Math.min(columns, widest);
  const room = width - figures;
  const longest = Math.max(...models.models.map(({ id }) => id.length), 0);
  const column = Math.min(longest, room) + 2;
  const rows = models.models.map((row) => formatRow(row, column, width));
  const title = `${"Model".padEnd(column)}${"Context".padStart(9)}${"Input/output".padStart(15)}`;
  const sources = sourcesOf(models).flatMap((text) => wrap(toPrintableLine(text), width));
  return `${[...(rows.length === 0 ? ["No model is listed."] : [title, ...rows]), "", ...sources].join("\n")}\n`;
}

function formatRow(
  { id, contextWindow, price, displayName, aliases, roles, source }: Row,
  column: number,
  width: number,
): string {
  const name = toPrintableLine(id);
  const context = contextWindow ? `${inThousands(contextWindow.tokens)}${markOf(contextWindow.source)}` : "-";
  const cost = price ? `${price.input}/${price.output}${markOf(price.source)}` : "-";
  const marked = `${name}${markOf(source)}`;
  const numbers = `${context.padStart(9)}${cost.padStart(15)}`;
  const first =
    marked.length < column ? [`${marked.padEnd(column)}${numbers}`] : [marked, `${" ".repeat(column)}${numbers}`];
  const notes = [
    ...(displayName === null || displayName === id ? [] : [displayName]),
    ...(aliases.length === 0 ? [] : [`alias ${aliases.join(", ")}`]),
    ...(roles.length === 0 ? [] : [`used by ${roles.join(", ")}`]),
  ];
  const told = notes.length === 0 ? [] : wrap(toPrintableLine(notes.join("; ")), width - 2).map((line) => `  ${line}`);
  return [...first, ...told].map((line) => line.trimEnd()).join("\n");
}

/** Marks the source of a value. Values from the host have no mark. */
function markOf(source: Row["source"]): string {
  return { host: "", table: "*", "bridle.yaml": "+" }[source];
}

function sourcesOf({ backend, asked, reason, tableDate, models }: Models): string[] {
  const marks = models.flatMap(({ source, contextWindow, price }) => [source, contextWindow?.source, price?.source]);
  return [
    asked ? `Asked of ${backend}.` : `${backend} was not asked: ${reason}.`,
    ...(marks.includes("table") ? [`* from the table of ${tableDate} that comes with Bridle`] : []),
    ...(marks.includes("bridle.yaml") ? ["+ from bridle.yaml"] : []),
    ...(models.some(({ price, contextWindow }) => price === null || contextWindow === null)
      ? [`- neither ${backend} nor the table contains it`]
      : []),
    ...(models.some(({ price }) => price !== null) ? ["Input/output: US dollars for a million tokens."] : []),
  ];
}

/** Formats a number of tokens: `200k`, `1M`, `1.05M`. */
function inThousands(tokens: number): string {
  if (tokens >= 1_000_000) return `${Math.round(tokens / 10_000) / 100}M`;
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : String(tokens);
}
