import { describeStatus } from "@bridle/project";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { projectFlags, whereabouts } from "../../command-line/project-flags.ts";
import { formatStatus } from "./format-status.ts";
import { z } from "zod";

export const statusCommand = defineCommand({
  description: "Show what is configured, what will be used and what is degraded. No model is called.",
  flags: {
    ...projectFlags,
    json: { flag: "--json", description: "print it as JSON", value: z.boolean() },
  },
  examples: ["bridle status", "bridle status --json"],
  async run({ flags: { json, ...where } }, cli) {
    const status = await describeStatus(whereabouts(where, cli), cli.cwd);
    cli.stdout.write(json ? `${JSON.stringify(status, undefined, 2)}\n` : formatStatus(status, cli.stdout.columns));
    return exitCodes.natural;
  },
});
