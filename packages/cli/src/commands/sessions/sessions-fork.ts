import { withEventLog } from "@bridle/app/events";
import { withProject } from "@bridle/app/project";
import { forkExistingSession } from "@bridle/app/sessions";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { projectFlags } from "../../command/project-flags.ts";
import { sessionIdFlag } from "./session-id-flag.ts";
import { sessionOperand } from "./session-operand.ts";

export const sessionsForkCommand = defineCommand({
  description: `Start a session with the history of another, and print its id. The two sessions are independent.
Remembered answers of the old session do not apply to the new one.`,
  operand: sessionOperand,
  flags: {
    atStep: {
      flag: "--at-step <n>",
      description: 'the last response to include, by its number in "bridle sessions show" (default: the newest)',
      value: z.coerce.number().int().min(1),
      expected: "a whole number from 1",
    },
    as: {
      flag: "--as <id>",
      description: "the id of the new session (default: a random one)",
      ...sessionIdFlag,
    },
    ...projectFlags,
  },
  examples: ["bridle sessions fork support-42", "bridle sessions fork support-42 --at-step 3 --as support-42-other"],
  async run({ operand, flags: { atStep, as, ...location } }, cli) {
    const id = await withEventLog(await withProject(location, cli), async (eventLog) =>
      forkExistingSession(eventLog, operand, { atStep, as }),
    );
    cli.stdout.write(`${id}\n`);
    return exitCodes.natural;
  },
});
