import { withProject } from "@bridle/app/project";
import { listTestRuns } from "@bridle/app/tests";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatHistory } from "../../test-report/history-text.ts";

const defaultLast = 10;

export const testHistoryCommand = defineCommand({
  description: "List test runs, newest first, and the results of each case over time.",
  flags: {
    last: {
      flag: "--last <n>",
      description: `maximum number of test runs to list (default: ${defaultLast})`,
      value: z.coerce.number().int().min(1),
      expected: "a whole number from 1",
    },
    json: jsonFlag,
    ...projectFlags,
  },
  examples: ["bridle test history", "bridle test history --last 50 --json"],
  async run({ flags: { last = defaultLast, json, ...location } }, cli) {
    const { stdout, stderr } = cli;
    const onUnreadable = ({ message }: Error) => printSentence(`Warning: ${message}`, stderr);
    const { project } = await withProject(location, cli);
    await project.requireOwnState();
    const runs = listTestRuns(project.testRunsFolder, { last, onUnreadable });
    if (json) printJson({ runs }, stdout);
    else if (runs.length > 0) stdout.write(formatHistory(runs, stdoutPage(cli)));
    else printSentence('This project has no test runs. "bridle test" starts one.', stderr);
    return exitCodes.natural;
  },
});
