import { type ValidatedMetrics, validateMetrics } from "@bridle/app/metrics";
import { withProject } from "@bridle/app/project";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { Interruption, reportInterrupt } from "../../terminal/interruption.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { textTable } from "../../terminal/text-table.ts";
import { formatCell } from "../sql/format-rows.ts";

export const metricsValidateCommand = defineCommand({
  description: `Check the models in context/models: names, columns found by the scan, declared keys against the data,
and each measure by computing it. Reports each problem with file and line.`,
  flags: { json: jsonFlag, ...projectFlags },
  examples: ["bridle metrics validate"],
  notes: `Exit codes:
  0 no problems, 1 problems were found, 2 usage, 3 configuration,
  4 a warehouse refuses the credentials, 5 it cannot be reached,
  130 interrupted (143 by SIGTERM, 129 by SIGHUP)`,
  async run({ flags: { json, ...location } }, cli) {
    const opened = await withProject(location, cli);
    const interruption = new Interruption(cli);
    try {
      const validated = await validateMetrics({ signal: interruption.signal }, opened);
      if (json) printJson(validated, cli.stdout);
      else {
        const page = stdoutPage(cli);
        if (validated.measures.length > 0) cli.stdout.write(formatValues(validated, page));
        for (const problem of [...validated.problems, ...validated.violations]) printSentence(problem, cli.stderr);
      }
      return validated.ok ? exitCodes.natural : exitCodes.otherwise;
    } catch (error) {
      if (interruption.interrupt === undefined) throw error;
      return reportInterrupt("The check was", interruption.interrupt, cli);
    } finally {
      interruption.dispose();
    }
  },
});

function formatValues({ measures }: ValidatedMetrics, page: Parameters<typeof textTable>[2]): string {
  const rows = measures.map(({ name, value, problem }) => [name, problem ?? formatCell(value ?? null)]);
  return textTable(["measure", "value"], rows, page)
    .map((line) => `${line}\n`)
    .join("");
}
