import { UsageError } from "@bridle/app";
import { withProject } from "@bridle/app/project";
import { findCase, readTestResult, selectTrial, type TestRun } from "@bridle/app/tests";
import { z } from "zod";
import type { Cli, ProjectCli } from "../../command/cli.ts";
import { defineCommand, type Given } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { projectFlags } from "../../command/project-flags.ts";
import { printJson } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatCase } from "../../test-report/case-text.ts";
import { resultCommands } from "../../test-report/result-commands.ts";
import { formatResult } from "../../test-report/result-text.ts";
import { giveReports, type ReportOutput, readReportOutput, reportFlags } from "./report-output.ts";
import { resultOperand } from "./test-options.ts";

const flags = {
  case: {
    flag: "--case <name>",
    description: "show this case in full",
    value: z.string().min(1),
    expected: "the name of a case",
    excludes: ["report", "output"],
  },
  trial: {
    flag: "--trial <n>",
    description: "show only this trial of the case",
    value: z.coerce.number().int().min(1),
    expected: "a whole number from 1",
  },
  ...reportFlags,
  ...projectFlags,
};
type ShowFlagValues = Given<typeof flags>["flags"];

export const testShowCommand = defineCommand({
  description: `Show the results of a test run, or of one case with its conversation, calls and
evaluations. Runs nothing and calls no model.`,
  operand: { ...resultOperand, description: `${resultOperand.description} (default: newest)` },
  flags,
  examples: [
    "bridle test show",
    'bridle test show --case "finds an order"',
    "bridle test show previous --report html --output before.html",
  ],
  async run({ operand = "newest", flags }, cli) {
    const { case: name, trial } = flags;
    if (trial !== undefined && name === undefined) throw new UsageError("--trial needs a case. Name it with --case.");
    const output = name === undefined ? await readReportOutput(flags, cli) : undefined;
    const opened = await withProject(flags, cli);
    const run = await readTestResult(operand, opened);
    if (name !== undefined) printCase(run, name, flags, cli);
    else await printRun(run, output, flags, opened);
    return exitCodes.natural;
  },
});

function printCase(run: TestRun, name: string, { trial, json }: ShowFlagValues, cli: Cli): void {
  const found = findCase(run, name);
  const shown = trial === undefined ? found : selectTrial(found, trial);
  if (json) printJson(shown, cli.stdout);
  else cli.stdout.write(formatCase(shown, stdoutPage(cli)));
}

async function printRun(
  run: TestRun,
  output: ReportOutput | undefined,
  flags: ShowFlagValues,
  cli: ProjectCli,
): Promise<void> {
  const { stdout } = cli;
  const text = () =>
    output?.file ? "" : formatResult(run, resultCommands(run.id, flags, stdout), stdoutPage(cli), { withList: true });
  await giveReports(run, output, text, cli);
}
