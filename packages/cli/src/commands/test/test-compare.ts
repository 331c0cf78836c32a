import { withProject } from "@bridle/app/project";
import { type Comparison, compareTestRuns, readTestResult } from "@bridle/app/tests";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatComparison } from "../../test-report/comparison-text.ts";

export const testCompareCommand = defineCommand({
  description: `Compare two test runs: the cases that changed with a diff of their transcripts, the metrics, and
differences in the agent or its settings. Name each run by its id or a prefix of it, "newest", "previous", or a results
file, such as a JSON report from another machine.`,
  operand: { name: "before", description: "the earlier test run (default: previous)" },
  secondOperand: { name: "after", description: "the later test run (default: newest)" },
  flags: {
    failOn: {
      flag: "--fail-on <what>",
      description:
        "regression: exit with 1 if a case that passed now fails or has no result, or if any case passes in a smaller share of its trials",
      value: z.enum(["regression"]),
      expected: "regression",
    },
    json: jsonFlag,
    ...projectFlags,
  },
  examples: [
    "bridle test compare main.json newest --fail-on regression",
    "bridle test compare",
    "bridle test compare 20261122-07 newest",
  ],
  async run({ operands: [before = "previous", after = "newest"], flags: { json, failOn, ...location } }, cli) {
    const context = await withProject(location, cli);
    const comparison = compareTestRuns(await readTestResult(before, context), await readTestResult(after, context));
    if (json) printJson(comparison, cli.stdout);
    else cli.stdout.write(formatComparison(comparison, stdoutPage(cli)));
    return failOn === undefined ? exitCodes.natural : concludeRegressions(comparison, cli);
  },
});

/** Prints the regressions, and returns the exit code. */
function concludeRegressions({ regressions }: Comparison, { stderr }: Pick<Cli, "stderr">): number {
  for (const regression of regressions) printSentence(`Regression: ${regression}`, stderr);
  return regressions.length === 0 ? exitCodes.natural : exitCodes.otherwise;
}
