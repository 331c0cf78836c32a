import { findPermissionFiles, listPermissions, removePermission } from "@bridle/project";
import { suggestion } from "@bridle/protocol";
import { defineCommand } from "../cli/command.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { projectFlags } from "../cli/project-flag.ts";
import { UsageError } from "../cli/usage-error.ts";
import { formatPermission } from "../report/format-permission.ts";

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
