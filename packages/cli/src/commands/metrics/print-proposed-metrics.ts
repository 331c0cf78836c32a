import type { ProposedMetrics } from "@bridle/app/metrics";
import { counted, formatCount } from "@bridle/protocol";
import type { Output, ProjectCli } from "../../command-line/cli.ts";
import { printDifference } from "../../terminal/confirm-difference.ts";
import { printSentence } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { textTable } from "../../terminal/text-table.ts";
import { formatCell } from "../sql/format-rows.ts";

type ProposedMeasure = ProposedMetrics["models"][number]["measures"][number];

/** The measures with their values, what was left out, and the difference to the files. */
export function printProposedMetrics(
  { models, notes, calls, tokens, failed }: Omit<ProposedMetrics, "done">,
  output: Output,
  cli: ProjectCli,
): void {
  const measures = models.flatMap((model) => model.measures);
  if (measures.length > 0) {
    const head = ["measure", "formula", "value", "column"];
    const rows = measures.map((each) => [each.name, each.formula, formatCell(each.value), formatColumn(each)]);
    const lines = textTable(head, rows, stdoutPage(cli));
    output.write(`${lines.map((line) => `${line}\n`).join("")}\n`);
  }
  for (const { file, difference } of models) printDifference({ file, difference }, output);
  if (calls > 0) printSentence(`${counted(calls, "call")}, ${counted(tokens, "token")}`, output);
  for (const note of notes) printSentence(note, cli.stderr);
  for (const { table, reason } of failed) printSentence(`Not improved: ${table}: ${reason}`, cli.stderr);
}

function formatColumn({ column }: ProposedMeasure): string {
  if (column === undefined) return "";
  const { min, max, nulls, rows } = column;
  const range = min === undefined || max === undefined ? "" : `${min} to ${max}, `;
  return `${range}${formatCount(nulls)} of ${formatCount(rows)} missing`;
}
