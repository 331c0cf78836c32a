import { withEventLog } from "@bridle/app/events";
import { withProject } from "@bridle/app/project";
import { listSessions } from "@bridle/app/sessions";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatOlder, formatSessions } from "./format-sessions.ts";

/** The default maximum number of listed sessions. */
const maxShown = 50;

export const sessionsListCommand = defineCommand({
  description: "List the sessions of the project, newest first.",
  flags: {
    last: {
      flag: "--last <n>",
      description: `number of newest sessions to list (default: ${maxShown}, or all with --json)`,
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
      listSessions(eventLog, { last: last ?? (json ? undefined : maxShown + 1), tests }),
    );
    if (json) printJson(list, cli.stdout);
    else if (list.sessions.length > 0) {
      const sessions = list.sessions.slice(0, last ?? maxShown);
      const hasMore = sessions.length < list.sessions.length;
      const page = stdoutPage(cli);
      cli.stdout.write(`${formatSessions({ sessions }, page)}${hasMore ? formatOlder(maxShown, page) : ""}`);
    } else if (tests) cli.stderr.write("This project has no sessions of test cases with several turns.\n");
    else printSentence('This project has no sessions. "bridle run --session ID" starts one.', cli.stderr);
    return exitCodes.natural;
  },
});
