import { z } from "zod";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { recordFlags, withRecord } from "@bridle/app/events";
import { requireSession, viewSession } from "@bridle/app/sessions";
import { formatSession } from "./format-session.ts";
import { pageOf } from "../../terminal/output-page.ts";
import { sessionOperand } from "./session-operand.ts";

export const sessionsShowCommand = defineCommand({
  description: `Show what was said and done in a session, what waits for an answer, and what it came to.
The number before each response of the model is that of "bridle sessions fork --at-step".`,
  operand: sessionOperand,
  flags: {
    json: { flag: "--json", description: "print it as JSON, with whole inputs and results", value: z.boolean() },
    ...recordFlags,
  },
  examples: ["bridle sessions show support-42", "bridle sessions show support-42 --json"],
  async run({ operand, flags: { json = false, ...flags } }, cli) {
    const view = await withRecord(flags, cli, async (record) => viewSession(record, requireSession(record, operand)));
    cli.stdout.write(json ? `${JSON.stringify(view, undefined, 2)}\n` : formatSession(view, pageOf(cli)));
    return exitCodes.natural;
  },
});
