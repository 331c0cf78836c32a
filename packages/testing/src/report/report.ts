import type { TestRun } from "../result/test-run.ts";
import { htmlReport } from "./html/page.ts";
import { jsonReport } from "./json.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";

const makers = { json: jsonReport, markdown: markdownReport, junit: junitReport, html: htmlReport } as const;

export type ReportForm = keyof typeof makers;

/**
 * What came of an invocation, as a document to be written to a file: `json` is all of it, `markdown` a comment on a pull
 * request, `junit` for build servers, `html` one page without anything beside it. It depends on the run alone.
 */
export function report(run: TestRun, form: ReportForm): string {
  return makers[form](run);
}
