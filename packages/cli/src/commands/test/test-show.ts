import { report } from "@bridle/testing";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { projectFlags } from "../../command-line/project-flags.ts";
import { UsageError } from "@bridle/app";
import { saySentence } from "../../terminal/print-sentence.ts";
import { pageOf } from "../../terminal/output-page.ts";
import { caseText } from "../../test-report/case-text.ts";
import { findCase, readResult, resultOperand, resultsFolder, withTrial } from "@bridle/app/tests";
import { pointersTo } from "../../test-report/pointers.ts";
import { readReport, reportFlags } from "./report-output.ts";
import { resultText } from "../../test-report/result-text.ts";
import { z } from "zod";

export const testShowCommand = defineCommand({
  description: `Show what came of tests: all of an invocation, or one case with what was said,
called and judged. Nothing runs, and no model is asked.`,
  operand: { ...resultOperand, description: `${resultOperand.description} (default: newest)` },
  flags: {
    case: {
      flag: "--case <name>",
      description: "this case, with all that was said and done",
      value: z.string().min(1),
      expected: "the name of a case",
      excludes: ["report", "output"],
    },
    trial: {
      flag: "--trial <n>",
      description: "of the case, only this trial",
      value: z.coerce.number().int().min(1),
      expected: "a whole number from 1",
    },
    ...reportFlags,
    ...projectFlags,
  },
  examples: [
    "bridle test show",
    'bridle test show --case "finds an order"',
    "bridle test show previous --report html --output before.html",
  ],
  async run({ operand = "newest", flags }, cli) {
    const { case: name, trial, json } = flags;
    if (trial !== undefined && name === undefined) throw new UsageError("--trial is of a case. Name it with --case.");
    const wanted = await readReport(name === undefined ? flags : {}, cli);
    const run = readResult(await resultsFolder(flags, cli), operand, cli);
    const { stdout } = cli;
    if (name !== undefined) {
      const found = findCase(run, name);
      const shown = trial === undefined ? found : withTrial(found, trial);
      stdout.write(json ? `${JSON.stringify(shown, undefined, 2)}\n` : caseText(shown, pageOf(cli)));
    } else if (wanted?.file) {
      await wanted.file.write(report(run, wanted.form));
      saySentence(`Report: ${wanted.file.name}`, stdout);
    } else
      stdout.write(wanted ? report(run, wanted.form) : resultText(run, pointersTo(run.id, flags), pageOf(cli), true));
    return exitCodes.natural;
  },
});
