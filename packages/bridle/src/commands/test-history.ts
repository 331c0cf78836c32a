import { listTestRuns } from "@bridle/testing";
import { z } from "zod";
import { defineCommand } from "../cli/command.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { projectFlags } from "../cli/project-flag.ts";
import { saySentence } from "../report/say-sentence.ts";
import { pageOf } from "../sessions/page-of.ts";
import { historyText } from "../test/history-text.ts";
import { resultsFolder } from "../test/open-results.ts";

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
