import { UsageError } from "@bridle/app";
import { withProject } from "@bridle/app/project";
import { showTable } from "@bridle/app/warehouses";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { printJson } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatShownTable } from "./format-table.ts";

export const contextShowCommand = defineCommand({
  description: `Show a table: its rows, key, columns, descriptions and joins.
Values of sensitive columns are neither stored nor shown.`,
  operand: { name: "table", description: "connection.schema.table, or its last parts if they are unambiguous" },
  flags: { json: jsonFlag, ...projectFlags },
  examples: ["bridle context show orders", "bridle context show warehouse.public.orders --json"],
  async run({ operand, flags: { json, ...location } }, cli) {
    if (operand === undefined) throw new UsageError("The table is missing. Name it: bridle context show TABLE.");
    const table = await showTable(operand, await withProject(location, cli));
    if (json) printJson(table, cli.stdout);
    else cli.stdout.write(formatShownTable(table, stdoutPage(cli)));
    return exitCodes.natural;
  },
});
