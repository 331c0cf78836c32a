import { findPermissionFiles, type ListedPermission, listPermissions } from "@bridle/project";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { projectFlags } from "../../command-line/project-flags.ts";
import { formatPermission } from "./format-permission.ts";
import { z } from "zod";

export const permissionsListCommand = defineCommand({
  description: "List the answers that are remembered: those of the project, and the user's own.",
  flags: {
    ...projectFlags,
    json: { flag: "--json", description: "print them as JSON", value: z.boolean() },
  },
  examples: ["bridle permissions list", "bridle permissions list --json"],
  async run({ flags: { json, ...where } }, { cwd, environment, stdout, stderr }) {
    const listed = await listPermissions(findPermissionFiles({ cwd, environment, ...where }));
    if (json) stdout.write(`${JSON.stringify(listed, undefined, 2)}\n`);
    else if (listed.length === 0) stderr.write("No answers are remembered.\n");
    else stdout.write(listed.map((each: ListedPermission) => `${formatPermission(each)}\n`).join(""));
    return exitCodes.natural;
  },
});
