import { listTestRuns } from "@bridle/testing";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { projectFlags } from "../../command-line/project-flags.ts";
import { saySentence } from "../../terminal/print-sentence.ts";
import { pageOf } from "../../terminal/output-page.ts";
import { historyText } from "../../test-report/history-text.ts";
import { resultsFolder } from "@bridle/app/tests";
import { z } from "zod";

const defaultLast = 10;

export const testHistoryCommand = defineCommand({
  description: "List the tests that were run, the newest first, and what became of each case over time.",
  flags: {
    last: {
      flag: "--last <n>",
      description: `how many (default: ${defaultLast})`,
      value: z.coerce.number().int().min(1),
      expected: "a whole number from 1",
    },
    json: { flag: "--json", description: "print them as JSON", value: z.boolean() },
    ...projectFlags,
  },
  examples: ["bridle test history", "bridle test history --last 50 --json"],
  async run({ flags: { last = defaultLast, json = false, ...flags } }, cli) {
    const { stdout, stderr } = cli;
    const onUnreadable = ({ message }: Error) => saySentence(`Warning: ${message}`, stderr);
    const runs = listTestRuns(await resultsFolder(flags, cli), { last, onUnreadable });
    if (json) stdout.write(`${JSON.stringify({ runs }, undefined, 2)}\n`);
    else if (runs.length > 0) stdout.write(historyText(runs, pageOf(cli)));
    else stderr.write('Nothing was tested in this project yet. "bridle test" does it.\n');
    return exitCodes.natural;
  },
});
