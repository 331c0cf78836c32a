import { UsageError } from "@bridle/app";
import { withProject } from "@bridle/app/project";
import { runSql, type SqlResult } from "@bridle/app/warehouses";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { Interruption, reportInterrupt } from "../../terminal/interruption.ts";
import { createStderrLogger } from "../../terminal/logger.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { readPrompt } from "../run/read-prompt.ts";
import { formatCsv, formatRows, notesOf } from "./format-rows.ts";

/** The default maximum number of rows. */
const defaultRows = 100;

export const sqlCommand = defineCommand({
  description: `Run one read-only SQL statement as an agent would: it is checked, and limited to the connection's
scope. Values of sensitive columns are replaced with digests.`,
  operand: { name: "connection", description: "the name of a connection in bridle.yaml" },
  secondOperand: { name: "statement", description: 'one SELECT; "-" reads it from standard input' },
  flags: {
    rows: {
      flag: "--rows <n>",
      description: `maximum number of rows to read (default: ${defaultRows})`,
      value: z.coerce.number().int().min(1),
      expected: "a whole number from 1",
    },
    csv: { flag: "--csv", description: "print CSV", value: z.boolean(), excludes: ["json"] },
    json: jsonFlag,
    ...projectFlags,
  },
  examples: [
    'bridle sql warehouse "SELECT count(*) FROM orders"',
    "bridle sql warehouse - --csv < report.sql > report.csv",
  ],
  notes: `Exit codes:
  0 the statement ran, 1 it was refused or failed, 2 usage, 3 configuration,
  4 the warehouse refuses the credentials, 5 it cannot be reached,
  130 interrupted (143 by SIGTERM, 129 by SIGHUP)`,
  async run({ operands: [connection, text], flags: { rows, csv, json, ...location } }, cli) {
    if (connection === undefined || text === undefined) {
      throw new UsageError('The statement is missing. Write bridle sql CONNECTION "SELECT …".');
    }
    const statement = await readPrompt(text, cli.stdin, "statement");
    const opened = await withProject(location, cli);
    const interruption = new Interruption(cli);
    try {
      const { signal } = interruption;
      const result = await runSql(
        { connection, statement, maxRows: rows ?? defaultRows, signal, logger: createStderrLogger(cli.stderr) },
        opened,
      );
      print(result, { csv, json }, cli);
      return exitCodes.natural;
    } catch (error) {
      if (interruption.interrupt === undefined) throw error;
      return reportInterrupt("The statement was", interruption.interrupt, cli);
    } finally {
      interruption.dispose();
    }
  },
});

interface Form {
  readonly csv: boolean | undefined;
  readonly json: boolean | undefined;
}

function print(result: SqlResult, { csv, json }: Form, cli: Cli): void {
  if (json) printJson(result, cli.stdout);
  else if (csv) cli.stdout.write(formatCsv(result, cli.stdout));
  else cli.stdout.write(formatRows(result, stdoutPage(cli)));
  if (!json) for (const note of notesOf(result)) printSentence(note, cli.stderr);
}
