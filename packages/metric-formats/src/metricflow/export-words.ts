/** Writes models' descriptions and expressions for dbt files. In such files, dbt runs templates such as `{{ … }}`. */
import type { ParsedExpression } from "@bridle/semantic/model-parts";
import { type ExportReport, refuseExport } from "../export-report.ts";
import { printStandardSql } from "../standard-sql.ts";

const template = /\{[{%#]/;

interface Words {
  readonly description?: string | undefined;
  readonly label?: string | undefined;
}

/** Returns the descriptions of a model, dimension, measure or metric, without those that dbt would run as templates. */
export function wordsOfMetricFlow(
  { description, label }: Words,
  report: ExportReport,
  model: string,
  subject?: string,
): { description?: string; label?: string } {
  for (const [key, text] of Object.entries({ description, label }))
    if (text !== undefined && template.test(text))
      report.change(model, subject, `Its ${key} has a template, which dbt would run, and is left out.`);
  return {
    ...(description !== undefined && !template.test(description) && { description }),
    ...(label !== undefined && !template.test(label) && { label }),
  };
}

/** Writes an expression. Throws an ExportRefusalError if dbt would run a part of the expression as a template. */
export function metricFlowSql(parsed: ParsedExpression): string {
  return withoutTemplate(printStandardSql(parsed), "An expression");
}

export function withoutTemplate(text: string, what: string): string {
  return template.test(text) ? refuseExport(`${what} has a template, which dbt would run. Change its text.`) : text;
}
