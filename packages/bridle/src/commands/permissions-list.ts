import { findPermissionFiles, type ListedPermission, listPermissions } from "@bridle/project";
import { z } from "zod";
import { defineCommand } from "../cli/command.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { projectFlags } from "../cli/project-flag.ts";
import { formatPermission } from "../report/format-permission.ts";

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
