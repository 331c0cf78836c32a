import { locatePermissionFiles, removeRememberedAnswer } from "@bridle/app/permissions";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { projectFlags } from "../../command/project-flags.ts";
import { formatPermission } from "./format-permission.ts";

export const permissionsRemoveCommand = defineCommand({
  description: "Remove a remembered answer. From now on, Bridle asks the question again.",
  operand: { name: "id", description: "the id from the list" },
  flags: projectFlags,
  examples: ["bridle permissions remove 3f2a9c1b"],
  async run({ operand, flags: location }, cli) {
    const removed = await removeRememberedAnswer(operand, locatePermissionFiles(location, cli));
    cli.stdout.write(`Removed: ${formatPermission(removed)}\n`);
    return exitCodes.natural;
  },
});
