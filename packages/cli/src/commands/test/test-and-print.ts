import type { AgentDefinition } from "@bridle/app/agents";
import { explainFault } from "@bridle/app/modules";
import { failGrader, runAgentTests, type TestEffects, type TestPlanOptions, type TestRun } from "@bridle/app/tests";
import { isBridleError } from "@bridle/protocol";
import type { Cli, ProjectCli } from "../../command/cli.ts";
import type { Given } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { captureOutput } from "../../terminal/capture-output.ts";
import { Interruption, reportInterrupt } from "../../terminal/interruption.ts";
import { createStderrLogger } from "../../terminal/logger.ts";
import { printSentence } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { ProgressView } from "../../test-progress/progress-view.ts";
import { formatResumeCommand, resultCommands } from "../../test-report/result-commands.ts";
import { formatResult } from "../../test-report/result-text.ts";
import { exitCodeOfTests } from "./exit-code.ts";
import { giveReports, type ReportOutput, readReportOutput } from "./report-output.ts";
import type { testFlags } from "./test-options.ts";

type TestFlagValues = Given<typeof testFlags>["flags"];

/** Tests an agent, shows what happens, and resolves with the exit code. Rejects if the tests cannot start. */
export function testAndPrint(definition: AgentDefinition, flags: TestFlagValues, cli: ProjectCli): Promise<number> {
  return performAndPrint((effects) => runAgentTests(definition, planTests(flags), cli, effects), flags, cli);
}

/** Flags that control the output. */
type PrintFlags = Parameters<typeof readReportOutput>[0] & Parameters<typeof resultCommands>[1];

/** Runs tests of any kind like `testAndPrint`. */
export async function performAndPrint(
  perform: (effects: TestEffects) => Promise<TestRun>,
  flags: PrintFlags,
  cli: ProjectCli,
): Promise<number> {
  const output = await readReportOutput(flags, cli);
  const interruption = new Interruption({ ...cli, onFault: (listener) => cli.onFault(passGraderFaults(listener)) });
  const view = new ProgressView({ ...cli, now: () => Date.now() });
  const release = cli.stderr.isTTY ? captureOutput((text) => view.note(text)) : () => {};
  const onStop = () => noteStopping(interruption, view, hasBegun);
  interruption.signal.addEventListener("abort", onStop, { once: true });
  let run: TestRun;
  let hasBegun = false;
  try {
    const effects = createEffects(view, interruption, cli);
    run = await perform({
      ...effects,
      onProgress: (progress) => {
        hasBegun = true;
        effects.onProgress(progress);
      },
    });
  } catch (error) {
    view.close();
    const { interrupt } = interruption;
    if (!interrupt || !isBridleError(error) || error.code !== "stopped") throw error;
    return reportInterrupt("The tests were", interrupt, cli);
  } finally {
    view.close();
    release();
    interruption.dispose();
  }
  await printRun(run, output, flags, cli);
  return conclude(run, interruption, cli);
}

/** Handles a grader's fault. While the grader's result is awaited, the fault fails the grader's metric, not all tests. */
function passGraderFaults(listener: (error: unknown) => void): (error: unknown) => void {
  return (error) => failGrader(error, listener);
}

function planTests({ case: cases, resume, ...flags }: TestFlagValues): TestPlanOptions {
  return { ...flags, cases, resume: resume === true ? "newest" : resume };
}

function createEffects(view: ProgressView, { signal }: Interruption, { stdout, stderr }: Cli) {
  const { isTTY, columns } = stderr;
  return {
    signal,
    unattended: !stdout.isTTY,
    onProgress: view.onProgress,
    logger: createStderrLogger({ isTTY, columns, write: (text) => view.note(text.trimEnd()) }),
  };
}

function noteStopping({ interrupt }: Interruption, view: ProgressView, hasBegun: boolean): void {
  if (interrupt && hasBegun) view.note("Stopping. Finished trials are stored. Interrupt again to end at once.");
}

async function printRun(
  run: TestRun,
  output: ReportOutput | undefined,
  flags: PrintFlags,
  cli: ProjectCli,
): Promise<void> {
  const { stdout, stderr, outputClosed } = cli;
  if (outputClosed.aborted) return;
  if (output?.printed === undefined && stdout.isTTY && stderr.isTTY) stderr.write("\n"); // after the lines of the cases
  const text = () => formatResult(run, resultCommands(run.id, flags, stdout), stdoutPage(cli));
  await giveReports(run, output, text, cli);
}

/** Prints why the tests ended early and how to resume them, and returns the exit code. */
function conclude(run: TestRun, { fault, interrupt }: Interruption, cli: Cli): number {
  const { stderr } = cli;
  if (fault !== undefined) printSentence(explainFault(fault.error, cli), stderr);
  else if (run.stop && run.stop.reason !== "interrupted") printSentence(run.stop.message, stderr);
  const why = interrupt ? `Interrupted by ${interrupt}. ` : "";
  const remaining = describeRemaining(run);
  if (remaining !== undefined) {
    printSentence(`${why}${remaining}`, stderr);
    stderr.write(`  ${formatResumeCommand(cli.arguments, run.id, stderr)}\n`);
  }
  return fault === undefined ? exitCodeOfTests(run, interrupt) : exitCodes.otherwise;
}

/** Describes the cases that --resume would run. */
function describeRemaining({ state, summary: { cases, notRun, errored } }: TestRun): string | undefined {
  if (state === "unfinished") return `${cases - notRun} of ${cases} cases have ended, and are stored. To resume:`;
  if (errored > 0) return "Errors of the host do not count against the agent. To run those cases again:";
  return undefined;
}
