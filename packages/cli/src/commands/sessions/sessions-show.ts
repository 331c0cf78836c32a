import { withEventLog } from "@bridle/app/events";
import { withProject } from "@bridle/app/project";
import { requireSession, viewSession } from "@bridle/app/sessions";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { projectFlags } from "../../command/project-flags.ts";
import { printJson } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatSession } from "./format-session.ts";
import { sessionOperand } from "./session-operand.ts";

export const sessionsShowCommand = defineCommand({
  description: `Show the conversation, tool calls, open questions and totals of a session.
Use the number before a model response with "bridle sessions fork --at-step".`,
  operand: sessionOperand,
  flags: {
    json: { flag: "--json", description: "print JSON, with full inputs and results", value: z.boolean() },
    ...projectFlags,
  },
  examples: ["bridle sessions show support-42", "bridle sessions show support-42 --json"],
  async run({ operand, flags: { json, ...location } }, cli) {
    const view = await withEventLog(await withProject(location, cli), async (eventLog) =>
      viewSession(eventLog, await requireSession(eventLog, operand)),
    );
    if (json) printJson(view, cli.stdout);
    else cli.stdout.write(formatSession(view, stdoutPage(cli)));
    return exitCodes.natural;
  },
});
