import { type CheckedQuestions, checkQuestions, evaluateQuestions, type QuestionsPlan } from "@bridle/app/questions";
import { compareWithPrevious, type ReportForm, type TestRun } from "@bridle/app/tests";
import { counted } from "@bridle/protocol";
import type { ProjectCli } from "../../command/cli.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { Interruption, reportInterrupt } from "../../terminal/interruption.ts";
import type { Page } from "../../terminal/page.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { toPrintableLine } from "../../terminal/printable.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatComparison } from "../../test-report/comparison-text.ts";
import { performAndPrint } from "../test/test-and-print.ts";

interface EvalFlags extends Omit<QuestionsPlan, "cases" | "tags" | "knowledge" | "resume"> {
  readonly case?: readonly string[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly withoutContext?: boolean | undefined;
  readonly baseline?: boolean | undefined;
  readonly resume?: string | true | undefined;
  readonly report?: ReportForm | undefined;
  readonly output?: string | undefined;
  readonly json?: boolean | undefined;
  readonly projectDir?: string | undefined;
  readonly namespace?: string | undefined;
}

/** Asks the questions, shows what happens, and resolves with the exit code. */
export async function evaluateAndPrint(flags: EvalFlags, cli: ProjectCli): Promise<number> {
  const { withoutContext = false, baseline = false } = flags;
  let run: TestRun | undefined;
  const code = await performAndPrint(
    async (effects) => {
      if (baseline) await evaluateQuestions(planOf(flags, "structure"), cli, effects);
      run = await evaluateQuestions(planOf(flags, withoutContext ? "structure" : "all"), cli, effects);
      return run;
    },
    flags,
    cli,
  );
  if (baseline && run !== undefined) await printComparison(run, flags, cli);
  return code;
}

/** Whether to print the comparison. If a report is on standard output, users compare with `bridle test compare`. */
async function printComparison(run: TestRun, { json, report, output }: EvalFlags, cli: ProjectCli): Promise<void> {
  if ((json || report !== undefined) && output === undefined) return;
  const comparison = await compareWithPrevious(run, cli);
  if (comparison === undefined) return;
  cli.stdout.write("\nWithout the context, and with it:\n\n");
  cli.stdout.write(formatComparison(comparison, stdoutPage(cli)));
}

function planOf(flags: EvalFlags, knowledge: QuestionsPlan["knowledge"]): QuestionsPlan {
  const { case: cases, tag: tags, resume, file, parallel, trials, backend, auth, rehearse, failFast } = flags;
  const { onUsageLimit, maxWait } = flags;
  const chosen = { file, cases, tags, knowledge, parallel, trials, backend, auth, rehearse, failFast };
  return { ...chosen, onUsageLimit, maxWait, resume: resume === true ? "newest" : resume };
}

/** Computes the known answers, and prints how many rows each has. */
export async function checkAndPrint(flags: EvalFlags, cli: ProjectCli): Promise<number> {
  const interruption = new Interruption(cli);
  try {
    const { file, case: cases, tag: tags } = flags;
    const checked = await checkQuestions({ file, cases, tags }, cli, interruption.signal);
    if (flags.json) printJson(checked, cli.stdout);
    else cli.stdout.write(formatChecked(checked, stdoutPage(cli)));
    const wrong = checked.questions.filter(({ problem }) => problem !== null).length;
    if (wrong === 0) return exitCodes.natural;
    printSentence(
      `${counted(wrong, "question")} of ${checked.questions.length} with a wrong known answer.`,
      cli.stderr,
    );
    return exitCodes.otherwise;
  } catch (error) {
    if (interruption.interrupt === undefined) throw error;
    return reportInterrupt("The check was", interruption.interrupt, cli);
  } finally {
    interruption.dispose();
  }
}

function formatChecked({ questions }: CheckedQuestions, page: Page): string {
  return questions.map((each) => `${formatQuestion(each, page)}\n`).join("");
}

function formatQuestion({ name, kind, rows, problem }: CheckedQuestions["questions"][number], page: Page): string {
  const shown = toPrintableLine(name);
  if (problem !== null) return `${page.paint("red", "✗")} ${shown}\n    ${toPrintableLine(problem)}`;
  const size = rows.map((count) => counted(count, "row")).join(", or ");
  return `${page.paint("green", "✓")} ${shown} ${page.paint("dim", `(${kind === "unanswerable" ? kind : size})`)}`;
}
