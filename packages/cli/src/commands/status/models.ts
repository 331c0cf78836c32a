import { backendNames, listAvailableModels } from "@bridle/app/status";
import { isBridleError } from "@bridle/protocol";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { exitCodeOfError, exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { Interruption, reportInterrupt } from "../../terminal/interruption.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { whileWaiting } from "../../terminal/waiting-line.ts";
import { formatModels } from "./format-models.ts";

export const modelsCommand = defineCommand({
  description: `List the models of the backend with their aliases, context windows, prices, and the roles that use
them.
The list comes from the host if it can list its models, otherwise from a dated table. The output names the source.`,
  flags: {
    ...projectFlags,
    backend: {
      flag: "--backend <backend>",
      description: `use this backend instead of the project's: ${backendNames.join(", ")}`,
      value: z.enum(backendNames),
    },
    json: jsonFlag,
  },
  examples: ["bridle models", "bridle models --backend anthropic --json"],
  notes: `Exit codes:
  0 listed, 3 configuration, 4 the host refuses the credentials, 5 the host fails,
  130 interrupted (143 by SIGTERM, 129 by SIGHUP)`,
  async run({ flags: { json, ...options } }, cli) {
    const interruption = new Interruption(cli);
    const { signal } = interruption;
    try {
      const models = await whileWaiting("asking", cli, () => listAvailableModels({ ...options, signal }, cli));
      if (json) printJson(models, cli.stdout);
      else cli.stdout.write(formatModels(models, cli.stdout.columns));
      return exitCodes.natural;
    } catch (error) {
      if (interruption.interrupt) return reportInterrupt("The listing was", interruption.interrupt, cli);
      if (!isBridleError(error) || signal.aborted) throw error;
      printSentence(error.message, cli.stderr);
      return exitCodeOfListing(error);
    } finally {
      interruption.dispose();
    }
  },
});

/** Returns a listing's exit codes. A listing can only end with success, a refusal or a failure of the host. */
function exitCodeOfListing(error: Parameters<typeof exitCodeOfError>[0]): number {
  const code = exitCodeOfError(error);
  return code === exitCodes.otherwise ? exitCodes.backend : code;
}
