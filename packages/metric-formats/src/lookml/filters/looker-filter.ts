/** Converts measures' filters: a field and one of Looker's filter expressions. */
import type { ParsedExpression } from "@bridle/semantic/model-parts";
import { refuseImport } from "../../import-report.ts";
import type { TemplateFields } from "../../templates/template-fields.ts";
import { type LookmlField, LookmlView } from "../lookml-view.ts";
import { periodFrames, timeParts } from "../timeframes.ts";
import { numberFilter } from "./number-filter.ts";
import { textFilter } from "./text-filter.ts";
import { timeFilter } from "./time-filter.ts";

export interface FilterContext {
  readonly fields: TemplateFields;
  readonly isCaseSensitive: boolean;
  /** Whether a dimension was imported. The name of another dimension would be read as a column. */
  hasDimension(view: string, dimension: string): boolean;
}

/** Returns the filter over the models' dimensions; undefined if it keeps every row. */
export function lookerFilter(
  context: FilterContext,
  view: LookmlView,
  name: string,
  expression: string,
): ParsedExpression | undefined {
  const parts = name.split(".");
  const [owner, own] = parts.length === 2 ? [parts[0], parts[1]] : [undefined, parts[0]];
  if (own === undefined || parts.length > 2) return refuseImport(`"${name}" is not a field. Write view.field.`);
  const target =
    owner === undefined || owner === view.name ? { steps: [], model: view } : context.fields.path(view.name, owner);
  if (!(target.model instanceof LookmlView)) return refuseImport(`There is no view ${target.model.name}.`);
  const field = target.model.field(own) ?? refuseImport(`There is no field "${name}". Correct the filter.`);
  if (field.kind === "measure") refuseImport(`The filter names the measure ${name}. Filter the groups of the query.`);
  if (!context.hasDimension(target.model.name, field.block.name))
    refuseImport(`The filter names ${name}, which was not imported. Correct that first.`);
  const operand: ParsedExpression = { kind: "name", path: [...target.steps, field.block.name] };
  return conditionOf(field, operand, expression, context.isCaseSensitive);
}

function conditionOf(field: LookmlField, operand: ParsedExpression, expression: string, isCaseSensitive: boolean) {
  if (/\{[{%]|@\{/.test(expression))
    refuseImport("The filter has a template that is computed for each query. Write its text.");
  const [type, value] = filterType(field, operand);
  if (type === "yesno") return yesnoFilter(value, expression);
  if (type === "time") return timeFilter(value, expression);
  if (type === "number") return numberFilter(value, expression);
  if (!isCaseSensitive)
    refuseImport(
      "The model has case_sensitive: no, and the filter compares text exactly here. Compare lower case in sql.",
    );
  return textFilter(value, expression);
}

type FilterType = "text" | "number" | "time" | "yesno";

function filterType(field: LookmlField, operand: ParsedExpression): readonly [FilterType, ParsedExpression] {
  if (field.kind === "timeframe") {
    if (periodFrames.includes(field.frame)) return ["time", operand];
    const part =
      timeParts[field.frame] ?? refuseImport(`A filter by the timeframe ${field.frame} is not supported. Use date.`);
    return [part.type === "boolean" ? "yesno" : part.type === "number" ? "number" : "text", part.write(operand)];
  }
  const type = field.block.text("type") ?? "string";
  if (type === "yesno") return ["yesno", operand];
  if (type === "number" || type === "int") return ["number", operand];
  if (type === "date" || type === "date_time") return ["time", operand];
  if (type === "tier" || type === "bin")
    refuseImport("A filter by the label of a tier is not supported. Filter the number.");
  return ["text", operand];
}

/** Converts a filter of a yes-or-no field. A row without a value, or without a joined row, counts as no. */
function yesnoFilter(operand: ParsedExpression, expression: string): ParsedExpression | undefined {
  const text = expression.trim().toLowerCase();
  if (text === "") return undefined;
  if (!["yes", "no", "true", "false"].includes(text)) refuseImport(`The filter "${expression}" is neither yes nor no.`);
  const isYes = text === "yes" || text === "true";
  const right: ParsedExpression = { kind: "literal", type: "boolean", value: "true" };
  return { kind: "binary", operator: isYes ? "is not distinct from" : "is distinct from", left: operand, right };
}
