import { given, optionsCheck } from "@bridle/protocol";
import type { Comparison } from "../compare/comparison.ts";
import type { TestRun } from "../result/test-run.ts";
import { htmlReport } from "./html/page.ts";
import { jsonReport } from "./json.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";

const makers = { json: jsonReport, markdown: markdownReport, junit: junitReport, html: htmlReport } as const;

export type ReportForm = keyof typeof makers;

/** Additional parts of a report. */
export interface ReportOptions {
  /** The comparison with the previous run. The HTML page shows its changes. */
  readonly previous?: Comparison | undefined;
}

const checkOptions = optionsCheck<ReportOptions>("report", { previous: given.object.optional() });

/**
 * Formats the results of an invocation as a document: `json` contains everything, `markdown` is a comment for a pull request, `junit` is
 * for build servers, and `html` is one self-contained page. The document depends only on the arguments.
 */
export function report(run: TestRun, form: ReportForm, options: ReportOptions = {}): string {
  checkOptions(options);
  return makers[form](run, options.previous);
}
