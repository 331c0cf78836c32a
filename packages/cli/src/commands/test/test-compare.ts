import { withProject } from "@bridle/app/project";
import { compareTestRuns, readTestResult } from "@bridle/app/tests";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command-line/project-flags.ts";
import { printJson } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatComparison } from "../../test-report/comparison-text.ts";

export const testCompareCommand = defineCommand({
  description: `Compare two test runs: the cases that changed with a diff of their transcripts, the
metrics, and what differs in the agent or its settings. Name each run by its id or the
beginning of it, "newest", "previous", or a file of results, such as a JSON report
from another machine.`,
  operand: { name: "before", description: "the earlier test run (default: previous)" },
  secondOperand: { name: "after", description: "the later test run (default: newest)" },
  flags: { json: jsonFlag, ...projectFlags },
  examples: ["bridle test compare", "bridle test compare 20261122-07 newest", "bridle test compare main.json newest"],
  async run({ operands: [before = "previous", after = "newest"], flags: { json, ...location } }, cli) {
    const context = await withProject(location, cli);
    const comparison = compareTestRuns(readTestResult(before, context), readTestResult(after, context));
    if (json) printJson(comparison, cli.stdout);
    else cli.stdout.write(formatComparison(comparison, stdoutPage(cli)));
    return exitCodes.natural;
  },
});
