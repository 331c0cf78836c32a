import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { recordFlags, withRecord } from "@bridle/app/events";
import { requireSession, refuseInProgress, removeSession } from "@bridle/app/sessions";
import { sessionOperand } from "./session-operand.ts";

export const sessionsRmCommand = defineCommand({
  description: `Remove sessions, with all that is on record of them. Nothing is asked, and it cannot be taken back.
Sessions that were forked from them stay whole.`,
  operand: { ...sessionOperand, isRepeated: true },
  flags: recordFlags,
  examples: ["bridle sessions rm support-42", "bridle sessions rm support-41 support-42"],
  async run({ operand, operands, flags }, cli) {
    return withRecord(flags, cli, async (record) => {
      const ids = new Set([operand, ...operands].map((id) => requireSession(record, id)));
      for (const id of ids) refuseInProgress(record, id);
      for (const id of ids) cli.stdout.write(`Removed ${removeSession(record, id)}.\n`);
      return exitCodes.natural;
    });
  },
});
