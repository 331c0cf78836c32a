import { UsageError } from "@bridle/app";
import { showModel } from "@bridle/app/metrics";
import { withProject } from "@bridle/app/project";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { printJson } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatModel } from "./format-model.ts";

export const metricsShowCommand = defineCommand({
  description: "Show a model: its table, measures, metrics, dimensions, segments and joins.",
  operand: { name: "name", description: "a model, or model.name of a measure, metric or dimension" },
  flags: { json: jsonFlag, ...projectFlags },
  examples: ["bridle metrics show orders", "bridle metrics show orders.revenue --json"],
  async run({ operand, flags: { json, ...location } }, cli) {
    if (operand === undefined) throw new UsageError("The name is missing. Name a model: bridle metrics show MODEL.");
    const model = await showModel(operand, await withProject(location, cli));
    if (json) printJson(model, cli.stdout);
    else cli.stdout.write(formatModel(model, stdoutPage(cli)));
    return exitCodes.natural;
  },
});
