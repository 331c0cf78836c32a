/** Converts a view's dimensions and dimension groups. */
import {
  type ModelDimension,
  namesInExpression,
  type ParsedExpression,
  printExpression,
} from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import { fractionNote, mayDropFraction } from "../templates/drops-fraction.ts";
import { templateName } from "../templates/parse-template.ts";
import { ownColumns } from "../templates/template-fields.ts";
import type { LookmlContext } from "./lookml-context.ts";
import type { LookmlBlock } from "./lookml-tree.ts";
import { type LookmlView, sqlOf } from "./lookml-view.ts";
import { periodFrames, timeParts } from "./timeframes.ts";

export function convertDimensions(view: LookmlView, context: LookmlContext): ModelDimension[] {
  const single = view.dimensions.flatMap((block) => {
    const found = context.attempt(block, "field", () => dimensionOf(view, block, context));
    return found ? [found] : [];
  });
  const groups = view.groups.flatMap(
    (block) => context.attempt(block, "field", () => groupOf(view, block, context)) ?? [],
  );
  const all = [...single, ...groups];
  return all.filter(({ name }, index) => all.findIndex((each) => each.name === name) === index);
}

/** Returns the columns that identify a row: those from which the primary key is computed. */
export function primaryKey(view: LookmlView, context: LookmlContext): string[] | undefined {
  const key = view.dimensions.find((each) => each.says("primary_key"));
  if (!key) return undefined;
  return context.quietly(() => {
    const parsed = context.fields.dimension(view, key.name);
    const names = namesInExpression(parsed);
    return names.length > 0 && names.every((path) => path.length === 1) ? [...ownColumns(parsed)] : undefined;
  });
}

const types: Readonly<Record<string, ModelDimension["type"]>> = {
  number: "number",
  int: "number",
  date_time: "timestamp",
};

function dimensionOf(view: LookmlView, block: LookmlBlock, context: LookmlContext): ModelDimension {
  const type = block.text("type") ?? "string";
  if (block.text("datatype") !== undefined) requireDatatype(block);
  const parsed = context.fields.dimension(view, block.name);
  noteZone(view, block, context);
  if (mayDropFraction(parsed)) context.note(block, fractionNote);
  if (type === "yesno")
    return { name: block.name, expr: printExpression(yesOrNo(parsed)), type: "boolean", ...blockWords(block) };
  const declared = type === "date" ? "date" : types[type];
  return { name: block.name, ...exprOf(block.name, parsed), ...(declared && { type: declared }), ...blockWords(block) };
}

/** Writes a yes-or-no value. Looker shows No for rows without a value. */
function yesOrNo(when: ParsedExpression): ParsedExpression {
  const value = (text: string): ParsedExpression => ({ kind: "literal", type: "boolean", value: text });
  return { kind: "case", branches: [{ when, then: value("true") }], otherwise: value("false") };
}

function requireDatatype(block: LookmlBlock): void {
  const datatype = block.text("datatype") ?? "";
  if (["date", "datetime", "timestamp"].includes(datatype)) return;
  refuseImport(`The datatype ${datatype} is not a time of the database. Write sql that is one.`);
}

/** Returns the time itself, for queries by period, and its parts. */
function groupOf(view: LookmlView, block: LookmlBlock, context: LookmlContext): ModelDimension[] {
  const type = block.text("type") ?? "time";
  if (type !== "time") refuseImport(`A group of ${type} is not supported: models have no difference of times.`);
  if (block.text("datatype") !== undefined) requireDatatype(block);
  const isDate = block.text("datatype") === "date";
  const time = context.fields.columns(view, sqlOf(block));
  const base: ModelDimension = {
    name: block.name,
    ...exprOf(block.name, time),
    ...blockWords(block),
    ...(isDate ? { type: "time", grain: "day" } : { type: "timestamp" }),
  };
  if (!isDate && keepsZone(block)) context.note(block, zoneNote);
  const parts = block.items("timeframes").flatMap(({ text: frame, position }): ModelDimension[] => {
    if (periodFrames.includes(frame)) return [];
    const part = timeParts[frame];
    const name = `${block.name}_${frame}`;
    if (!part) {
      const why = `The timeframe ${frame} has no counterpart. A query has hour, day, week, month, quarter and year.`;
      context.report.add("refused", `dimension ${name}`, why, position);
      return [];
    }
    return [{ name, expr: printExpression(part.write(time)), type: part.type }];
  });
  return [base, ...parts];
}

const zoneNote = "A query with a timezone converts it. Leave the timezone out.";

function keepsZone(block: LookmlBlock): boolean {
  return block.text("convert_tz")?.toLowerCase() === "no";
}

/**
 * Adds a finding for a time that Looker does not convert to the query's time zone. Days and years within SQL use the query's zone, as in
 * Looker.
 */
export function noteZone(view: LookmlView, block: LookmlBlock, context: LookmlContext): void {
  const own = block.text("type") === "date" && block.text("datatype") !== "date" && block.key === "dimension";
  const named = context
    .quietly(() => namesInExpression(sqlOf(block)))
    ?.some((path) => {
      const [first = "", second] = templateName(path)?.reference ?? [];
      const owner = second === undefined ? view : context.views.get(first);
      const field = owner?.field(second ?? first);
      if (field?.kind !== "timeframe" || ["raw", "time", "yesno"].includes(field.frame)) return false;
      return field.block.text("datatype") !== "date" && keepsZone(field.block);
    });
  if ((own && keepsZone(block)) || named) context.note(block, zoneNote);
}

function exprOf(name: string, parsed: ParsedExpression): { expr?: string } {
  const isColumn = parsed.kind === "name" && parsed.path.length === 1 && parsed.path[0] === name;
  return isColumn ? {} : { expr: printExpression(parsed) };
}

/** Returns the labels and descriptions of a block, without those that a template computes. */
export function blockWords(block: LookmlBlock): { description?: string; label?: string } {
  const textOf = (key: string) => {
    const text = block.text(key)?.trim() ?? "";
    return text === "" || /\{[{%]|@\{/.test(text) ? undefined : text;
  };
  const [description, label] = [textOf("description"), textOf("label")];
  return { ...(description !== undefined && { description }), ...(label !== undefined && { label }) };
}

/** Returns the block as a field with this SQL. */
export function withSql(block: LookmlBlock, text: string): LookmlBlock {
  return block.with([...block.parameters, { key: "sql", position: block.position, value: { kind: "text", text } }]);
}
