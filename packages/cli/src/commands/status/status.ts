import { describeProject, findRuledAgent } from "@bridle/app/status";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { nameCommands } from "../../command/name-commands.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { printJson } from "../../terminal/print-sentence.ts";
import { formatStatus } from "./format-status.ts";

export const statusCommand = defineCommand({
  description: "Show the settings in use and degraded features. Calls no model.",
  notes: `Exit codes:
  0 the state was shown, even if a login or a credential is missing ("bridle doctor" then fails), 3 configuration`,
  flags: { ...projectFlags, json: jsonFlag },
  examples: ["bridle status", "bridle status --json"],
  async run({ flags: { json, ...location } }, cli) {
    const status = await describeProject(location, cli);
    if (json) printJson(status, cli.stdout);
    else {
      const text = formatStatus(status, cli.stdout.columns, await findRuledAgent(cli));
      cli.stdout.write(nameCommands(text, cli.stdout));
    }
    return exitCodes.natural;
  },
});
