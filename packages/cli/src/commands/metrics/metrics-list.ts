import { listMetrics } from "@bridle/app/metrics";
import { withProject } from "@bridle/app/project";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { printJson } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatMeasures } from "./format-model.ts";

export const metricsListCommand = defineCommand({
  description: "List the measures and metrics of the models in context/models.",
  flags: { json: jsonFlag, ...projectFlags },
  examples: ["bridle metrics list", "bridle metrics list --json"],
  async run({ flags: { json, ...location } }, cli) {
    const listed = await listMetrics(await withProject(location, cli));
    if (json) printJson(listed, cli.stdout);
    else cli.stdout.write(formatMeasures(listed.models, stdoutPage(cli)));
    return exitCodes.natural;
  },
});
