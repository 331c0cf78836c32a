import { suggestion } from "@bridle/core";
import { findPermissionFiles, listPermissions, removePermission } from "@bridle/project";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { projectFlags } from "../../command-line/project-flags.ts";
import { UsageError } from "@bridle/app";
import { formatPermission } from "./format-permission.ts";

export const permissionsRemoveCommand = defineCommand({
  description: "Take a remembered answer back: from now on it is asked again.",
  operand: { name: "id", description: "its name in the list" },
  flags: projectFlags,
  examples: ["bridle permissions remove 3f2a9c1b"],
  async run({ operand, flags: where }, { cwd, environment, stdout }) {
    const files = findPermissionFiles({ cwd, environment, ...where });
    if (operand === undefined) throw new UsageError('The id is missing. "bridle permissions list" shows them.');
    const removed = await removePermission(files, operand);
    if (!removed) {
      const near = suggestion(
        operand,
        (await listPermissions(files)).map(({ id }) => id),
      );
      throw new UsageError(`No answer is remembered as "${operand}".${near} See "bridle permissions list".`);
    }
    stdout.write(`Removed: ${formatPermission(removed)}\n`);
    return exitCodes.natural;
  },
});
