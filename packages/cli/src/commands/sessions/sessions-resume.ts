import { agentFlag } from "../agent/agent-flag.ts";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodeHelp } from "../../command-line/exit-codes.ts";
import { withRecord } from "@bridle/app/events";
import { approvalsFlag, promptOperand, readPlan, runFlags } from "../run/run-options.ts";
import { performRun } from "../run/perform-run.ts";
import { requireSession } from "@bridle/app/sessions";
import { sessionOperand } from "./session-operand.ts";

const { schema: _schema, ...flagsOfLoops } = runFlags;

export const sessionsResumeCommand = defineCommand({
  description: `Go on with a session: run an agent that is told all that was said, called and answered in it before.
It is "bridle run --session", but begins no new session.`,
  notes: exitCodeHelp,
  operand: sessionOperand,
  secondOperand: promptOperand,
  flags: { agent: agentFlag, ...flagsOfLoops, approvals: approvalsFlag },
  examples: [
    'bridle sessions resume support-42 "And when was it shipped?"',
    'bridle sessions resume support-42 --tools tools.ts "Where is it now?"',
  ],
  async run({ operand, operands: [, prompt], flags: { approvals, ...flags } }, cli) {
    const sessionId = await withRecord(flags, cli, async (record) => requireSession(record, operand));
    const plan = await readPlan({ operand: prompt, flags }, cli);
    return performRun({ ...plan, sessionId, ...(approvals !== undefined && { approvals }) }, cli);
  },
});
