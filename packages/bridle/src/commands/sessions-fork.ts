import { forkSession, withoutDeltas } from "@bridle/core";
import { type EventLog, transcriptOf } from "@bridle/protocol";
import { z } from "zod";
import { defineCommand } from "../cli/command.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { UsageError } from "../cli/usage-error.ts";
import { recordFlags, withRecord } from "../record/open-record.ts";
import { requireSession } from "../sessions/find-session.ts";
import { sessionIdFlag } from "../sessions/session-id-flag.ts";
import { sessionOperand } from "../sessions/session-operand.ts";

export const sessionsForkCommand = defineCommand({
  description: `Begin another session with the history of one, and print its id. Both go on, and neither sees the other.
Remembered answers of the old session do not hold in the new one.`,
  operand: sessionOperand,
  flags: {
    atStep: {
      flag: "--at-step <n>",
      description: 'the last response that it holds, as "bridle sessions show" numbers them (default: the newest)',
      value: z.coerce.number().int().min(1),
      expected: "a whole number from 1",
    },
    as: {
      flag: "--as <id>",
      description: "the id of the new session (default: one that is made up)",
      ...sessionIdFlag,
    },
    ...recordFlags,
  },
  examples: ["bridle sessions fork support-42", "bridle sessions fork support-42 --at-step 3 --as support-42-other"],
  async run({ operand, flags: { atStep, as, ...flags } }, cli) {
    const id = await withRecord(flags, cli, async (record) => {
      const from = requireSession(record, operand);
      if (atStep !== undefined) requireStep(record, from, atStep);
      if (as !== undefined) requireFree(record, as);
      return forkSession(record, {
        from,
        ...(atStep !== undefined && { atStep }),
        ...(as !== undefined && { id: as }),
      });
    });
    cli.stdout.write(`${id}\n`);
    return exitCodes.natural;
  },
});

function requireStep(record: EventLog, id: string, step: number): void {
  const { steps } = transcriptOf(withoutDeltas(record, id));
  if (step <= steps) return;
  const known = steps === 0 ? "no response of its own" : `${steps} ${steps === 1 ? "response" : "responses"}`;
  throw new UsageError(
    `--at-step is ${step}, but the session has ${known}. "bridle sessions show ${id}" numbers them.`,
  );
}

function requireFree(record: EventLog, id: string): void {
  if (record.events({ sessionId: id, limit: 1 }).length === 0) return;
  throw new UsageError(`The session "${id}" is on record already. Choose another id after --as.`);
}
