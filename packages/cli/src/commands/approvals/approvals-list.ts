import { z } from "zod";
import { formatApproval } from "./format-approval.ts";
import { listedApproval } from "@bridle/app/approvals";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { recordFlags, withRecord } from "@bridle/app/events";

export const approvalsListCommand = defineCommand({
  description: `List the questions about calls that wait for an answer, the oldest first: those of runs that wait,
and those that a run left open when its process died.`,
  flags: {
    json: { flag: "--json", description: "print them as JSON", value: z.boolean() },
    ...recordFlags,
  },
  examples: ["bridle approvals list", "bridle approvals list --json"],
  async run({ flags: { json = false, ...flags } }, cli) {
    return withRecord(flags, cli, async ({ approvals }) => {
      const { stdout, stderr } = cli;
      const open = approvals.open();
      const width = (stdout.columns ?? 200) - 1;
      if (json) stdout.write(`${JSON.stringify({ approvals: open.map(listedApproval) }, undefined, 2)}\n`);
      else if (open.length === 0) stderr.write("No question waits for an answer.\n");
      else stdout.write(open.map((each) => formatApproval(each, width)).join("\n"));
      return exitCodes.natural;
    });
  },
});
