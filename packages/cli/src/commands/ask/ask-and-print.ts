import { askQuestion, type QuestionPlan } from "@bridle/app/warehouses";
import type { ProjectCli } from "../../command/cli.ts";
import { printJson } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { showRun } from "../run/run-and-print.ts";
import { formatSources } from "./format-sources.ts";

/** Asks the question and prints the answer with its statements. Resolves with the exit code. */
export async function askAndPrint(question: QuestionPlan, json: boolean, cli: ProjectCli): Promise<number> {
  const { code, performed } = await showRun(question, json ? "none" : "text", cli, (effects) =>
    askQuestion(question, cli, effects),
  );
  if (performed === undefined) return code;
  const { result: run, ...sources } = performed;
  if (json) printJson({ answer: run.text, ...sources, run }, cli.stdout);
  else if (run.error === undefined || sources.isBasedOnData) cli.stdout.write(formatSources(sources, stdoutPage(cli)));
  return code;
}
