import { UsageError } from "@bridle/app";
import { withProject } from "@bridle/app/project";
import { decideJoin, listJoins } from "@bridle/app/warehouses";
import { z } from "zod";
import type { ProjectCli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatJoin } from "./format-joins.ts";

const actions = z.enum(["list", "accept", "reject"]);

export const contextJoinsCommand = defineCommand({
  description: `List the joins between tables with their evidence, or accept or reject one.
Decisions are written to context/tables, and later scans keep them.
To ask a model for more joins, run bridle context joins propose.`,
  operand: { name: "action", description: "list (default), accept or reject" },
  secondOperand: { name: "join", description: "the id of the join to accept or reject, from the list" },
  flags: {
    table: {
      flag: "--table <name>",
      description: "list only the joins of this table",
      value: z.string().min(1),
      expected: "a table",
    },
    review: { flag: "--review", description: "list only the joins that need a review by a person", value: z.boolean() },
    reason: {
      flag: "--reason <text>",
      description: "the reason to write to the file",
      value: z.string().min(1),
      expected: "a text",
    },
    json: jsonFlag,
    ...projectFlags,
  },
  examples: [
    "bridle context joins --review",
    "bridle context joins --table orders",
    'bridle context joins reject 3f2a91c0 --reason "Both are counters."',
  ],
  async run({ operands: [action = "list", id], flags: { table, review, reason, json, ...location } }, cli) {
    const chosen = actions.safeParse(action);
    if (!chosen.success) throw new UsageError(`${action} is not an action. Use list, accept or reject.`);
    const opened = await withProject(location, cli);
    if (chosen.data === "list") return printJoins(await listJoins({ table, review }, opened), json, opened);
    if (id === undefined) throw new UsageError(`The id is missing. Write bridle context joins ${action} ID.`);
    const status = chosen.data === "accept" ? "accepted" : "rejected";
    const decided = await decideJoin({ id, status, reason }, opened);
    if (json) printJson(decided, cli.stdout);
    else if (decided.isApplied) cli.stdout.write(`${id} is ${status}: written to ${decided.file}\n`);
    else printSentence(decided.message ?? `${id} was ${status} already.`, cli.stderr);
    if (decided.commitProblem !== undefined) printSentence(`Not committed: ${decided.commitProblem}`, cli.stderr);
    return exitCodes.natural;
  },
});

function printJoins(listed: Awaited<ReturnType<typeof listJoins>>, json: boolean | undefined, cli: ProjectCli): number {
  const page = stdoutPage(cli);
  if (json) printJson(listed, cli.stdout);
  else if (listed.joins.length > 0) cli.stdout.write(listed.joins.map((join) => formatJoin(join, page)).join(""));
  else printSentence('No joins are known. "bridle context scan" finds them.', cli.stderr);
  return exitCodes.natural;
}
