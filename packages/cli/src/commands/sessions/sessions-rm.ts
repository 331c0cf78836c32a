import { withEventLog } from "@bridle/app/events";
import { withProject } from "@bridle/app/project";
import { removeSessions } from "@bridle/app/sessions";
import { counted } from "@bridle/protocol";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { projectFlags } from "../../command/project-flags.ts";
import { sessionOperand } from "./session-operand.ts";

export const sessionsRmCommand = defineCommand({
  description: `Remove sessions with all their events, without asking. This cannot be undone.
Forks of the sessions stay complete.`,
  operand: { ...sessionOperand, isRepeated: true },
  flags: projectFlags,
  examples: ["bridle sessions rm support-42", "bridle sessions rm support-41 support-42"],
  async run({ operand, operands, flags }, cli) {
    return withEventLog(await withProject(flags, cli), async (eventLog) => {
      for await (const { id, runs, events, artifacts } of removeSessions(eventLog, [operand, ...operands])) {
        const parts = [counted(runs, "run"), counted(events, "event"), counted(artifacts, "artifact")];
        cli.stdout.write(`Removed ${id}: ${parts.join(", ")}.\n`);
      }
      return exitCodes.natural;
    });
  },
});
