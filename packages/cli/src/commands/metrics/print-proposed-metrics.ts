import type { ProposedMetrics } from "@bridle/app/metrics";
import { counted, formatCount } from "@bridle/protocol";
import type { Output, ProjectCli } from "../../command/cli.ts";
import { printDifference } from "../../terminal/confirm-difference.ts";
import { printSentence } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { textTable } from "../../terminal/text-table.ts";
import { formatCell } from "../sql/format-rows.ts";

type ProposedMeasure = ProposedMetrics["models"][number]["measures"][number];

/** Prints the measures with their values, the measures that were left out, and the changes to the files. */
export function printProposedMetrics(
  { models, history, notes, calls, tokens, failed }: Omit<ProposedMetrics, "done">,
  output: Output,
  cli: ProjectCli,
): void {
  const measures = models.flatMap((model) => model.measures);
  if (measures.length > 0) {
    const isUsed = measures.some(({ usage }) => usage !== undefined);
    const head = ["measure", "formula", "value", ...(isUsed ? ["used"] : []), "column"];
    const rows = measures.map((each) => [
      each.name,
      each.formula,
      formatCell(each.value),
      ...(isUsed ? [each.usage === undefined ? "" : formatUsage(each.usage)] : []),
      formatColumn(each),
    ]);
    printLines(textTable(head, rows, stdoutPage(cli)), output);
  }
  printSegments(models, output, cli);
  printUsed(models, output, cli);
  for (const { file, difference } of models) printDifference({ file, difference }, output);
  for (const log of history) printSentence(describeLog(log), output);
  if (calls > 0) printSentence(`${counted(calls, "call")}, ${counted(tokens, "token")}`, output);
  for (const note of notes) printSentence(note, cli.stderr);
  for (const { table, reason } of failed) printSentence(`Not improved: ${table}: ${reason}`, cli.stderr);
}

type Models = ProposedMetrics["models"];

function printSegments(models: Models, output: Output, cli: ProjectCli): void {
  const used = new Map(models.flatMap((model) => model.used).map((each) => [each.name, each]));
  const rows = models
    .flatMap((model) => model.segments)
    .map(({ name, filter, rows: count }) => {
      const usage = used.get(name);
      return [name, filter, formatCell(count), usage === undefined ? "" : formatUsage(usage)];
    });
  if (rows.length > 0) printLines(textTable(["segment", "filter", "rows", "used"], rows, stdoutPage(cli)), output);
}

function printUsed(models: Models, output: Output, cli: ProjectCli): void {
  const rows = models
    .flatMap((model) => model.used)
    .filter(({ kind }) => kind !== "segment")
    .map((each) => [each.kind === "join" ? "join" : "group", each.name, formatUsage(each)]);
  if (rows.length > 0) printLines(textTable(["part", "name", "used"], rows, stdoutPage(cli)), output);
}

function printLines(lines: readonly string[], output: Output): void {
  output.write(`${lines.map((line) => `${line}\n`).join("")}\n`);
}

/** Formats how often a measure was used: `214 times in 3 statements` */
function formatUsage({ statements, runs }: { readonly statements: number; readonly runs: number }): string {
  return `${counted(runs, "time")} in ${counted(statements, "statement")}`;
}

function describeLog({
  connection,
  source,
  statements,
  runs,
  unread,
  hidden,
}: ProposedMetrics["history"][number]): string {
  const rest = [
    ...(unread > 0 ? [`${counted(unread, "statement")} named no table or could not be read`] : []),
    ...(hidden > 0 ? [`${counted(hidden, "statement")} may not be seen: grant pg_read_all_stats to the account`] : []),
  ];
  const read = `Query history of ${connection} from ${source}: ${counted(statements, "statement")} that ran ${counted(runs, "time")}`;
  return `${[read, ...rest].join("; ")}.`;
}

function formatColumn({ column }: ProposedMeasure): string {
  if (column === undefined) return "";
  const { min, max, nulls, rows } = column;
  const range = min === undefined || max === undefined ? "" : `${min} to ${max}, `;
  return `${range}${formatCount(nulls)} of ${formatCount(rows)} missing`;
}
