import type { TestRun } from "../result/test-run.ts";
import { htmlReport } from "./html/page.ts";
import { jsonReport } from "./json.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";

const makers = { json: jsonReport, markdown: markdownReport, junit: junitReport, html: htmlReport } as const;

export type ReportForm = keyof typeof makers;

/**
 * The results of an invocation as a document: `json` has everything, `markdown` is a comment for a pull request, `junit` is for
 * build servers, and `html` is one self-contained page. It depends on the run alone.
 */
export function report(run: TestRun, form: ReportForm): string {
  return makers[form](run);
}
