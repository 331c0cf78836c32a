import { withProject } from "@bridle/app/project";
import { type ListedDrift, listDrift } from "@bridle/app/warehouses";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { formatMinute, type Page } from "../../terminal/page.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { textTable } from "../../terminal/text-table.ts";

export const contextDriftCommand = defineCommand({
  description: "Show the changes that the last scan of each connection found since the previous scan.",
  operand: { name: "connection", description: "the name of a connection (default: all)" },
  flags: { json: jsonFlag, ...projectFlags },
  examples: ["bridle context drift", "bridle context drift warehouse --json"],
  async run({ operand, flags: { json, ...location } }, cli) {
    const drift = await listDrift(operand, await withProject(location, cli));
    if (json) printJson(drift, cli.stdout);
    else if (drift.connections.length === 0) {
      printSentence('Nothing has been scanned yet. Run "bridle context scan" first.', cli.stderr);
    } else cli.stdout.write(drift.connections.map((each) => formatDrift(each, stdoutPage(cli))).join("\n"));
    return exitCodes.natural;
  },
});

function formatDrift({ name, scannedAt, changes }: ListedDrift["connections"][number], page: Page): string {
  const when = scannedAt === undefined ? "its first scan has not finished" : `scanned ${formatMinute(scannedAt)}`;
  const title = `${page.paint("bold", name)}  ${when}${changes.length === 0 ? ", nothing changed" : ""}`;
  const rows = changes.map(({ kind, subject, detail }) => [kind, subject, detail]);
  const lines = rows.length === 0 ? [] : textTable(["change", "subject", "detail"], rows, page);
  return [title, ...lines].map((line) => `${line}\n`).join("");
}
