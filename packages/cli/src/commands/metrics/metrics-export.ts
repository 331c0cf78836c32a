import { UsageError } from "@bridle/app";
import { type ExportedMetrics, exportMetrics, metricExportFormats } from "@bridle/app/metrics";
import { withProject } from "@bridle/app/project";
import { counted } from "@bridle/protocol";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { toPrintable } from "../../terminal/printable.ts";

const name = z.string().min(1);
const formats = metricExportFormats.join(", ");

export const metricsExportCommand = defineCommand({
  description: `Export the models of context/models to the format of another tool. Parts that the format cannot express
are printed to standard error, with their model, field and reason.`,
  flags: {
    to: { flag: "--to <format>", description: formats, value: name },
    output: { flag: "--output <file>", description: "the new file (default: standard output)", value: name },
    force: { flag: "--force", description: "replace an existing file", value: z.boolean() },
    json: jsonFlag,
    ...projectFlags,
  },
  examples: ["bridle metrics export --to osi --output model.yaml"],
  notes: `Exit codes:
  0 everything was exported, 1 a part was refused (the others are written), 2 usage,
  3 configuration: an invalid model, the format, or an existing file`,
  async run({ flags: { json, to, output, force, ...location } }, cli) {
    if (to === undefined) throw new UsageError(`The format is missing. Name one with --to: ${formats}.`);
    const exported = await exportMetrics({ to, output, force }, await withProject(location, cli));
    if (json) printJson(exported, cli.stdout);
    else printExport(exported, cli);
    return exported.refused === 0 ? exitCodes.natural : exitCodes.otherwise;
  },
});

function printExport({ format, models, text, output, findings, refused, changed }: ExportedMetrics, cli: Cli): void {
  if (output === null) cli.stdout.write(toPrintable(text));
  for (const { kind, model, field, reason } of findings)
    printSentence(`${model}: ${kind}${field === null ? "" : ` ${field}`}. ${reason}`, cli.stderr);
  const where = output === null ? "" : ` to ${output}`;
  const end = `${refused} refused, ${changed} changed`;
  printSentence(
    `Exported ${counted(models, "model")} to ${format}${where === "" ? "" : `, written${where}`}; ${end}.`,
    cli.stderr,
  );
}
