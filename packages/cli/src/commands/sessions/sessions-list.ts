import { withEventLog } from "@bridle/app/events";
import { withProject } from "@bridle/app/project";
import { listSessions } from "@bridle/app/sessions";
import { z } from "zod";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command-line/project-flags.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatSessions } from "./format-sessions.ts";

export const sessionsListCommand = defineCommand({
  description: "List the sessions of the project, the newest first.",
  flags: {
    last: {
      flag: "--last <n>",
      description: "list only the newest sessions",
      value: z.coerce.number().int().min(1),
      expected: "a whole number from 1",
    },
    tests: { flag: "--tests", description: "list the sessions of test cases instead", value: z.boolean() },
    json: jsonFlag,
    ...projectFlags,
  },
  examples: ["bridle sessions list", "bridle sessions list --last 10 --json"],
  async run({ flags: { last, tests, json, ...location } }, cli) {
    const list = await withEventLog(await withProject(location, cli), async (eventLog) =>
      listSessions(eventLog, { last, tests }),
    );
    if (json) printJson(list, cli.stdout);
    else if (list.sessions.length > 0) cli.stdout.write(formatSessions(list, stdoutPage(cli)));
    else if (tests) cli.stderr.write("This project has no sessions of test cases with several turns.\n");
    else printSentence('This project has no sessions. "bridle run --session ID" starts one.', cli.stderr);
    return exitCodes.natural;
  },
});
