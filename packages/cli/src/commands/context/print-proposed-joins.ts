import type { ProposedJoinResult, ProposedJoinsResult } from "@bridle/app/warehouses";
import { counted, formatCount } from "@bridle/protocol";
import type { Output, ProjectCli } from "../../command/cli.ts";
import { printDifference } from "../../terminal/confirm-difference.ts";
import { printSentence } from "../../terminal/print-sentence.ts";

const outcomes: readonly (readonly [ProposedJoinResult["outcome"], string])[] = [
  ["accepted", "accepted"],
  ["review", "to review"],
  ["refuted", "refuted"],
];

/** Prints the proposals with their evidence in the data, the pairs that were not sent to the model, and the changes to the files. */
export function printProposedJoins(
  { proposals, changes }: Omit<ProposedJoinsResult, "done">,
  output: Output,
  { stderr }: Pick<ProjectCli, "stderr">,
): void {
  for (const proposed of proposals) {
    printSentence(formatCounts(proposed), output);
    for (const [outcome, title] of outcomes) {
      for (const join of proposed.joins.filter((each) => each.outcome === outcome)) {
        printSentence(`  ${title}: ${formatProposal(join)}`, output);
      }
    }
    for (const { table, reason } of proposed.failed) printSentence(`  not asked: ${table}: ${reason}`, stderr);
    for (const sentence of proposed.missing) printSentence(`  ${sentence}`, stderr);
  }
  for (const change of changes) printDifference(change, output);
}

function formatCounts({ connection, joins, calls, tokens, queries }: ProposedJoinsResult["proposals"][number]): string {
  const known = joins.filter(({ outcome }) => outcome === "known").length;
  const cost = `${counted(calls, "call")}, ${counted(tokens, "token")}, ${counted(queries, "query", "queries")}`;
  return `${connection}: ${counted(joins.length, "proposal")} (${formatCount(known)} known before); ${cost}`;
}

function formatProposal({ from, to, reason, why }: ProposedJoinResult): string {
  const said = why === "" ? "" : ` The model says: ${why}`;
  return `${formatEnd(from)} → ${formatEnd(to)}. ${reason}${said}`;
}

function formatEnd({ table, columns }: ProposedJoinResult["from"]): string {
  return columns.length === 1 ? `${table}.${columns[0]}` : `${table} (${columns.join(", ")})`;
}
