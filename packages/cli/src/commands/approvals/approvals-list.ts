import { listApprovals } from "@bridle/app/approvals";
import { withEventLog } from "@bridle/app/events";
import { withProject } from "@bridle/app/project";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { printJson } from "../../terminal/print-sentence.ts";
import { formatApproval } from "./format-approval.ts";

export const approvalsListCommand = defineCommand({
  description: `List the tool calls that are waiting for approval, oldest first. A call waits in a running process, or
was left open when the process of its run died.`,
  flags: { json: jsonFlag, ...projectFlags },
  examples: ["bridle approvals list", "bridle approvals list --json"],
  async run({ flags: { json, ...location } }, cli) {
    const { stdout, stderr } = cli;
    const approvals = await withEventLog(await withProject(location, cli), async (eventLog) => listApprovals(eventLog));
    const width = (stdout.columns ?? 200) - 1;
    if (json) printJson({ approvals }, stdout);
    else if (approvals.length === 0) stderr.write("No call waits for approval.\n");
    else stdout.write(approvals.map((each) => formatApproval(each, width)).join("\n"));
    return exitCodes.natural;
  },
});
