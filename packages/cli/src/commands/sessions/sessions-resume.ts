import { withEventLog } from "@bridle/app/events";
import { withProject } from "@bridle/app/project";
import { requireSession } from "@bridle/app/sessions";
import { defineCommand } from "../../command/command.ts";
import { exitCodeHelp } from "../../command/exit-codes.ts";
import { agentFlag } from "../agent/agent-flag.ts";
import { approvalsFlag } from "../run/agent-flags.ts";
import { runAndPrint } from "../run/run-and-print.ts";
import { promptOperand, readRunOptions, runFlags } from "../run/run-options.ts";
import { sessionOperand } from "./session-operand.ts";

const { schema: _schema, ...loopFlags } = runFlags;

export const sessionsResumeCommand = defineCommand({
  description: `Resume a session: run an agent with the whole conversation so far.
Like "bridle run --session", but never starts a new session.`,
  notes: exitCodeHelp,
  operand: sessionOperand,
  secondOperand: promptOperand,
  flags: { agent: agentFlag, ...loopFlags, approvals: approvalsFlag },
  examples: [
    'bridle sessions resume support-42 "And when was it shipped?"',
    'bridle sessions resume support-42 --tools tools.ts "Where is it now?"',
  ],
  async run({ operand, operands: [, prompt], flags }, cli) {
    const opened = await withProject(flags, cli);
    const sessionId = await withEventLog(opened, async (eventLog) => requireSession(eventLog, operand));
    const { plan, form } = await readRunOptions(prompt, flags, cli);
    return runAndPrint({ ...plan, sessionId }, form, opened);
  },
});
