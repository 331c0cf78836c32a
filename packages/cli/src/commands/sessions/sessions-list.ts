import { z } from "zod";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { recordFlags, withRecord } from "@bridle/app/events";
import { formatSessions } from "./format-sessions.ts";
import { listSessions } from "@bridle/app/sessions";
import { pageOf } from "../../terminal/output-page.ts";

export const sessionsListCommand = defineCommand({
  description: "List the sessions of the project, the newest first.",
  flags: {
    last: {
      flag: "--last <n>",
      description: "only the newest sessions",
      value: z.coerce.number().int().min(1),
      expected: "a whole number from 1",
    },
    tests: { flag: "--tests", description: "those of test cases, instead of all others", value: z.boolean() },
    json: { flag: "--json", description: "print them as JSON", value: z.boolean() },
    ...recordFlags,
  },
  examples: ["bridle sessions list", "bridle sessions list --last 10 --json"],
  async run({ flags: { last, tests, json = false, ...flags } }, cli) {
    const list = await withRecord(flags, cli, async (record) => listSessions(record, { last, tests }));
    if (json) cli.stdout.write(`${JSON.stringify(list, undefined, 2)}\n`);
    else if (list.sessions.length > 0) cli.stdout.write(formatSessions(list, pageOf(cli)));
    else if (tests) cli.stderr.write("No test case with several turns is on record in this project.\n");
    else cli.stderr.write('No session is on record in this project. "bridle run --session ID" begins one.\n');
    return exitCodes.natural;
  },
});
