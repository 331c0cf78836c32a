import { UsageError } from "@bridle/app";
import { listContradictions, settleContradiction } from "@bridle/app/knowledge";
import { withProject } from "@bridle/app/project";
import { counted } from "@bridle/protocol";
import { z } from "zod";
import type { ProjectCli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { Interruption } from "../../terminal/interruption.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatContradiction } from "./format-contradiction.ts";
import { reportSettled, reviewAtTerminal } from "./review-at-terminal.ts";

const actions = z.enum(["list", "choose", "both"]);

export const contextReviewCommand = defineCommand({
  description: `Resolve contradictions between statements if none is stronger or more recent. On a terminal, shows each
contradiction with its documents, and asks you to choose the correct statement, mark all as correct, or skip the
contradiction.
Decisions are written to context/decisions.yaml with your name and the date, and the next ingest follows them.`,
  operand: { name: "action", description: "list, choose or both (default: ask on a terminal, otherwise list)" },
  secondOperand: {
    name: "id",
    description: "the id of the correct statement (choose), or of either statement (both)",
  },
  flags: {
    reason: {
      flag: "--reason <text>",
      description: "the reason to write to the file",
      value: z.string().min(1),
      expected: "a text",
    },
    json: jsonFlag,
    ...projectFlags,
  },
  examples: ["bridle context review", 'bridle context review choose 3f2a91c04b --reason "Finance agreed."'],
  notes: `Exit codes:
  0 nothing is open, or the decision was written, 1 contradictions are open,
  2 usage, 3 configuration, or nothing was ingested, 130 interrupted`,
  async run({ operands: [action, id], flags: { reason, json = false, ...location } }, cli) {
    const chosen = actions.optional().safeParse(action);
    if (!chosen.success) throw new UsageError(`${action} is not an action. Use list, choose or both.`);
    if (chosen.data === "choose" || chosen.data === "both") {
      if (id === undefined) throw new UsageError(`The id is missing. Write bridle context review ${chosen.data} ID.`);
    } else if (id !== undefined || reason !== undefined) {
      throw new UsageError("An id and --reason are for choose and both. Write bridle context review choose ID.");
    }
    const opened = await withProject(location, cli);
    if (id !== undefined)
      return settle({ id, decision: chosen.data === "both" ? "both" : "chosen", reason }, json, opened);
    const { readLine } = opened;
    if (chosen.data === "list" || json || readLine === undefined) return list(json, opened);
    const interruption = new Interruption(cli);
    try {
      return reportOpen(await reviewAtTerminal({ ...opened, readLine }, interruption.signal), opened);
    } finally {
      interruption.dispose();
    }
  },
});

async function list(json: boolean, cli: ProjectCli): Promise<number> {
  const listed = await listContradictions(cli);
  const texts = listed.contradictions.map((each) => {
    const ids = each.claims.map((claim) => claim.id);
    return formatContradiction(each, ids, stdoutPage(cli));
  });
  if (json) printJson(listed, cli.stdout);
  else cli.stdout.write(texts.join("\n"));
  return json ? codeOf(listed.contradictions.length) : reportOpen(listed.contradictions.length, cli);
}

async function settle(
  answer: Parameters<typeof settleContradiction>[0],
  json: boolean,
  cli: ProjectCli,
): Promise<number> {
  const settled = await settleContradiction(answer, cli);
  if (json) printJson(settled, cli.stdout);
  else reportSettled(settled, cli);
  return exitCodes.natural;
}

function reportOpen(open: number, cli: ProjectCli): number {
  const sentence =
    open === 0
      ? "No contradiction is open."
      : `${counted(open, "contradiction")} ${open === 1 ? "is" : "are"} open. Agents see all sides as disputed until you decide.`;
  printSentence(sentence, cli.stderr);
  return codeOf(open);
}

function codeOf(open: number): number {
  return open === 0 ? exitCodes.natural : exitCodes.otherwise;
}
