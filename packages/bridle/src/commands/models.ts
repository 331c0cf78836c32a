import { backendNames, describeAvailableModels, type Models } from "@bridle/project";
import { isBridleError } from "@bridle/protocol";
import { z } from "zod";
import type { Cli } from "../cli/cli.ts";
import { defineCommand } from "../cli/command.ts";
import { exitCodeOfError, exitCodes } from "../cli/exit-codes.ts";
import { projectFlags, whereabouts } from "../cli/project-flag.ts";
import { formatModels } from "../report/format-models.ts";
import { saySentence } from "../report/say-sentence.ts";
import { sayInterrupted, watchInterruptions } from "../run/interruption.ts";
import { createWaiting } from "../run/waiting.ts";

export const modelsCommand = defineCommand({
  description: `List the models of the backend: names, aliases, context windows, prices, and the roles that use them.
They are asked of the host where it can be asked, and else taken from a dated table, which is then said.`,
  flags: {
    ...projectFlags,
    backend: {
      flag: "--backend <backend>",
      description: `another backend than the project's: ${backendNames.join(", ")}`,
      value: z.enum(backendNames),
    },
    json: { flag: "--json", description: "print them as JSON", value: z.boolean() },
  },
  examples: ["bridle models", "bridle models --backend anthropic --json"],
  notes: `Exit codes:
  0 listed, 3 configuration, 4 the host refuses the credentials, 5 it does not answer as it should,
  130 interrupted (143 by SIGTERM, 129 by SIGHUP)`,
  async run({ flags: { json, backend, ...where } }, cli) {
    const interruption = watchInterruptions(cli);
    try {
      const models = await ask(
        { ...whereabouts(where, cli), ...(backend && { backend }), signal: interruption.signal },
        cli,
      );
      cli.stdout.write(json ? `${JSON.stringify(models, undefined, 2)}\n` : formatModels(models, cli.stdout.columns));
      return exitCodes.natural;
    } catch (error) {
      if (interruption.interrupt) return sayInterrupted("The listing was", interruption.interrupt, cli);
      if (!isBridleError(error) || interruption.signal.aborted) throw error;
      saySentence(error.message, cli.stderr);
      return exitCodeOf(error);
    } finally {
      interruption.dispose();
    }
  },
});

async function ask(options: Parameters<typeof describeAvailableModels>[0], cli: Cli): Promise<Models> {
  const waiting = createWaiting(cli.stderr, cli.environment);
  waiting.restart("asking");
  try {
    return await describeAvailableModels(options, cli.cwd);
  } finally {
    waiting.stop();
  }
}

/** There is no run that could have ended otherwise, and no limit of time: what is left is the host's silence, or its refusal. */
function exitCodeOf(error: Parameters<typeof exitCodeOfError>[0]): number {
  const code = exitCodeOfError(error);
  return code === exitCodes.otherwise ? exitCodes.backend : code;
}
