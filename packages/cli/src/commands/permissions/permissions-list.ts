import { explainUnusedAnswers, listPermissions, locatePermissionFiles } from "@bridle/app/permissions";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { printJson } from "../../terminal/print-sentence.ts";
import { toPrintable } from "../../terminal/printable.ts";
import { formatPermission } from "./format-permission.ts";

export const permissionsListCommand = defineCommand({
  description: "List the remembered answers of the project and your own answers.",
  flags: { ...projectFlags, json: jsonFlag },
  examples: ["bridle permissions list", "bridle permissions list --json"],
  async run({ flags: { json, ...location } }, cli) {
    const listed = await listPermissions(locatePermissionFiles(location, cli));
    for (const sentence of explainUnusedAnswers(location, cli)) cli.stderr.write(`${toPrintable(sentence)}\n`);
    if (json) printJson(listed, cli.stdout);
    else if (listed.length === 0) cli.stderr.write("No answers are remembered.\n");
    else cli.stdout.write(listed.map((each) => `${formatPermission(each)}\n`).join(""));
    return exitCodes.natural;
  },
});
