import type { ShownModel } from "@bridle/app/metrics";
import { indentLines, type Page } from "../../terminal/page.ts";
import { toPrintable } from "../../terminal/printable.ts";
import { textTable } from "../../terminal/text-table.ts";

/** Formats the measures of all models as one table. */
export function formatMeasures(models: readonly ShownModel[], page: Page): string {
  const rows = models.flatMap(({ measures }) =>
    measures.map(({ name, formula, description = "" }) => [name, formula, description]),
  );
  return joinLines(textTable(["measure", "formula", "description"], rows, page));
}

/** Formats everything about a model on one page. */
export function formatModel(model: ShownModel, page: Page): string {
  const { name, connection, table, sql, description, defaultTime } = model;
  const time = defaultTime === undefined ? "" : `, by default over ${defaultTime}`;
  const dimensions = model.dimensions.map((each) => [each.name, each.type ?? "", each.description ?? ""]);
  const segments = model.segments.map((each) => [each.name, each.description ?? ""]);
  const joins = model.joins.map((each) => [each.name, each.to, each.relationship]);
  return joinLines([
    page.paint("bold", toPrintable(name)),
    ...indentLines(
      toPrintable(table === undefined ? `sql on ${connection}${time}` : `${connection}.${table}${time}`),
      "",
      page,
    ),
    ...(sql === undefined ? [] : sql.split("\n").flatMap((line) => indentLines(toPrintable(line), "  ", page))),
    ...(description === undefined ? [] : indentLines(toPrintable(description), "", page)),
    ...section(
      ["measure", "formula", "description"],
      model.measures.map((each) => [each.name, each.formula, each.description ?? ""]),
      page,
    ),
    ...section(["dimension", "type", "description"], dimensions, page),
    ...section(["segment", "description"], segments, page),
    ...section(["join", "to", "relationship"], joins, page),
  ]);
}

function section(head: readonly string[], rows: readonly (readonly string[])[], page: Page): readonly string[] {
  return rows.length === 0 ? [] : ["", ...textTable(head, rows, page)];
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
