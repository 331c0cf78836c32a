import { UsageError } from "@bridle/app";
import { type ImportedMetrics, importMetrics, metricImportFormats } from "@bridle/app/metrics";
import { withProject } from "@bridle/app/project";
import { counted } from "@bridle/protocol";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";

const name = z.string().min(1);

export const metricsImportCommand = defineCommand({
  description: `Import models to context/models from another tool: dbt and MetricFlow semantic models, OSI documents,
LookML, or Cube cubes. Parts that cannot be imported are printed with their file, line and reason. Parts that use a
table or column missing from the scan are left out.`,
  operand: { name: "path", description: "a file or a folder with files" },
  flags: {
    from: {
      flag: "--from <format>",
      description: `${metricImportFormats.join(", ")} (default: detected from the files)`,
      value: name,
    },
    connection: { flag: "--connection <name>", description: "the connection with the tables", value: name },
    schema: { flag: "--schema <name>", description: "the schema for tables without one in the files", value: name },
    force: { flag: "--force", description: "replace existing files", value: z.boolean() },
    dryRun: { flag: "--dry-run", description: "print the new files without writing them", value: z.boolean() },
    json: jsonFlag,
    ...projectFlags,
  },
  examples: [
    "bridle metrics import dbt/models --schema analytics",
    "bridle metrics import model.yaml --from osi --dry-run",
  ],
  notes: `Exit codes:
  0 everything was imported, 1 a part was refused (the others are written), 2 usage,
  3 configuration: the path, the format, or an existing file`,
  async run({ operand, flags: { json, from, connection, schema, force, dryRun, ...location } }, cli) {
    if (operand === undefined)
      throw new UsageError("The path is missing. Name a file or folder: bridle metrics import PATH.");
    const options = { from, connection, schema, force, dryRun };
    const imported = await importMetrics(operand, options, await withProject(location, cli));
    if (json) printJson(imported, cli.stdout);
    else printImport(imported, cli);
    return imported.counts.refused === 0 ? exitCodes.natural : exitCodes.otherwise;
  },
});

function printImport(imported: ImportedMetrics, { stdout, stderr }: Cli): void {
  const { format, files, written, compared, findings, counts, notNeeded } = imported;
  for (const { kind, subject, reason, file, line } of findings) {
    const place = line === null ? file : `${file}:${line}`;
    printSentence(`${place}: ${kind} ${subject}. ${reason}`, stdout);
  }
  for (const { file, change, text } of files) {
    printSentence(`${file}: ${written || change === "unchanged" ? change : `would be ${change}`}`, stdout);
    if (!written && change !== "unchanged") printSentence(text, stdout);
  }
  if (notNeeded.length > 0) {
    const keys = notNeeded.map(({ key, count }) => `${key} (${count})`).join(", ");
    printSentence(`Not needed, as it changes no number: ${keys}.`, stdout);
  }
  const { models, dimensions, measures, metrics, joins, refused, changed } = counts;
  const parts = [
    counted(dimensions, "dimension"),
    counted(measures, "measure"),
    counted(metrics, "metric"),
    counted(joins, "join"),
  ];
  const verb = written ? "Imported" : "Would import";
  const end = `${refused} refused, ${changed} changed`;
  printSentence(`${verb} ${counted(models, "model")} from ${format} with ${parts.join(", ")}; ${end}.`, stdout);
  if (!compared)
    printSentence('Tables and columns were not compared: nothing has been scanned. Run "bridle context scan".', stderr);
  if (written && models > 0) printSentence('Check the models in the data with "bridle metrics validate".', stderr);
}
