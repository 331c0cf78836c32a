/** Texts of models in files of dbt. dbt runs templates such as `{{ … }}` in them. */
import type { ParsedExpression } from "@bridle/semantic/model-parts";
import { type ExportReport, refuseExport } from "../export-report.ts";
import { printStandardSql } from "../standard-sql.ts";

const template = /\{[{%#]/;

interface Words {
  readonly description?: string | undefined;
  readonly label?: string | undefined;
}

/** The descriptions of a model, dimension, measure or metric. Texts that dbt would run are left out. */
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

/** Throws an ExportRefusalError if dbt would run a part of the text. */
export function metricFlowSql(parsed: ParsedExpression): string {
  return withoutTemplate(printStandardSql(parsed), "An expression");
}

export function withoutTemplate(text: string, what: string): string {
  return template.test(text) ? refuseExport(`${what} has a template, which dbt would run. Change its text.`) : text;
}
