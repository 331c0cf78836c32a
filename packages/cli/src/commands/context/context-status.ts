import { withProject } from "@bridle/app/project";
import { type ContextStatus, describeWarehouses } from "@bridle/app/warehouses";
import { counted } from "@bridle/protocol";
import type { Cli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { nameCommands } from "../../command/name-commands.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { formatMinute, indentLines } from "../../terminal/page.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { toPrintableLine } from "../../terminal/printable.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatIngestStatus } from "./ingest/format-ingest-status.ts";

export const contextStatusCommand = defineCommand({
  description: "Show the state of the project's connections and sources. Opens no connection.",
  flags: { json: jsonFlag, ...projectFlags },
  examples: ["bridle context status", "bridle context status --json"],
  async run({ flags: { json, ...location } }, cli) {
    const status = await describeWarehouses(await withProject(location, cli));
    if (json) printJson(status, cli.stdout);
    else {
      if (status.connections.length === 0)
        printSentence('bridle.yaml has no connections. "bridle context init" finds databases.', cli.stderr);
      cli.stdout.write(status.connections.map((each) => formatConnection(each, cli)).join(""));
      cli.stdout.write(
        formatIngestStatus(status)
          .map((line) => toLine(line, cli))
          .join(""),
      );
    }
    for (const problem of status.fileProblems) printSentence(problem, cli.stderr);
    return exitCodes.natural;
  },
});

function formatConnection({ name, type, place, scan }: ContextStatus["connections"][number], cli: Cli): string {
  const engine = type === null ? "no longer in bridle.yaml" : `${type}, ${place}`;
  if (scan === null) return toLine(`${name} (${engine}): not scanned yet. Run "bridle context scan ${name}".`, cli);
  const { server, scannedAt, unfinished, tables, columns, joins, joinsToReview, problems, changes } = scan;
  const when = scannedAt === undefined ? "never scanned to the end" : `scanned ${formatMinute(scannedAt)}`;
  const lines = [
    `${name} (${engine}, ${server}): ${counted(tables, "table")}, ${counted(columns, "column")}, ${counted(joins, "join")}; ${when}`,
    ...(unfinished ? ["  The last scan was interrupted. The next one continues."] : []),
    ...(joinsToReview > 0 ? [`  ${counted(joinsToReview, "join")} to review: bridle context joins --review`] : []),
    ...(changes > 0 ? [`  ${counted(changes, "change")} since the scan before: bridle context drift ${name}`] : []),
    ...problems.map(({ table, problem }) => `  not read: ${table}: ${problem}`),
  ];
  return lines.map((line) => toLine(line, cli)).join("");
}

function toLine(text: string, cli: Cli): string {
  const [indent = ""] = /^ */.exec(text) ?? [];
  const line = nameCommands(toPrintableLine(text.trimStart()), cli.stdout);
  return indentLines(line, indent, stdoutPage(cli))
    .map((each) => `${each}\n`)
    .join("");
}
