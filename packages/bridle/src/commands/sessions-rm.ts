import { defineCommand } from "../cli/command.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { recordFlags, withRecord } from "../record/open-record.ts";
import { requireSession } from "../sessions/find-session.ts";
import { refuseInProgress, removeSession } from "../sessions/remove-session.ts";
import { sessionOperand } from "../sessions/session-operand.ts";

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
