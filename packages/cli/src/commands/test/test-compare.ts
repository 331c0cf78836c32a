import { compareTestRuns } from "@bridle/testing";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { projectFlags } from "../../command-line/project-flags.ts";
import { pageOf } from "../../terminal/output-page.ts";
import { comparisonText } from "../../test-report/comparison-text.ts";
import { readResult, resultsFolder } from "@bridle/app/tests";
import { z } from "zod";

export const testCompareCommand = defineCommand({
  description: `Say what changed between two invocations of tests: which cases, with the
difference of what was said and done, which figures, and what was tested
otherwise. Each is an id or the beginning of one, "newest", "previous", or a
file of results, such as a report in JSON from another machine.`,
  operand: { name: "before", description: "the earlier one (default: previous)" },
  secondOperand: { name: "after", description: "the later one (default: newest)" },
  flags: { json: { flag: "--json", description: "print it as JSON", value: z.boolean() }, ...projectFlags },
  examples: ["bridle test compare", "bridle test compare 20261122-07 newest", "bridle test compare main.json newest"],
  async run({ operands: [before = "previous", after = "newest"], flags: { json = false, ...flags } }, cli) {
    const folder = await resultsFolder(flags, cli);
    const comparison = compareTestRuns(readResult(folder, before, cli), readResult(folder, after, cli));
    const text = json ? `${JSON.stringify(comparison, undefined, 2)}\n` : comparisonText(comparison, pageOf(cli));
    cli.stdout.write(text);
    return exitCodes.natural;
  },
});
