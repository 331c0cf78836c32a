import type { AgentDefinition } from "@bridle/agent";
import type { CreateRuntimeOptions } from "@bridle/project";
import { isBridleError } from "@bridle/protocol";
import { failGrader, type RunTestsOptions, report, runTests, type TestRun } from "@bridle/testing";
import { catchPrinted } from "../chat/printed.ts";
import type { Cli } from "../cli/cli.ts";
import type { Given } from "../cli/command.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { whereabouts } from "../cli/project-flag.ts";
import { UsageError } from "../cli/usage-error.ts";
import { saySentence } from "../report/say-sentence.ts";
import { type Interruption, sayInterrupted, watchInterruptions } from "../run/interruption.ts";
import { createStderrLogger } from "../run/logger.ts";
import { pick } from "../run/open-run.ts";
import { pageOf } from "../sessions/page-of.ts";
import { explainFault } from "../tools-file/explain-fault.ts";
import { loadingIn } from "../tools-file/load-tools.ts";
import { exitCodeOfTests } from "./exit-code.ts";
import type { testFlags } from "./options.ts";
import { pointersTo, resumingLine } from "./pointers.ts";
import { createProgressView, type ProgressView } from "./progress-view.ts";
import { readReport, type WantedReport } from "./report-output.ts";
import { resultText } from "./result-text.ts";

export type TestFlagValues = Given<typeof testFlags>["flags"];

/** Tests an agent, shows what happens, and resolves with the exit code. Rejects where the tests could not begin. */
export async function performTests(definition: AgentDefinition, flags: TestFlagValues, cli: Cli): Promise<number> {
  const wanted = await readReport(flags, cli);
  const interruption = watchInterruptions({ ...cli, onFault: (listener) => cli.onFault(besideGraders(listener)) });
  const view = createProgressView({ ...cli, now: () => Date.now() });
  const release = cli.stderr.isTTY ? catchPrinted(view.note) : () => {};
  const onStop = () => sayStopping(interruption, view);
  interruption.signal.addEventListener("abort", onStop, { once: true });
  let run: TestRun;
  try {
    run = await runTests(definition, { ...optionsOf(flags, view, cli), signal: interruption.signal });
  } catch (error) {
    view.close();
    return explainBeginning(error, interruption, cli);
  } finally {
    view.close();
    release();
    interruption.dispose();
  }
  await tell(run, wanted, flags, cli);
  return conclude(run, interruption, cli);
}

/** What comes from a grader fails its metric, and not all tests. */
function besideGraders(listener: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    if (!failGrader(error)) listener(error);
  };
}

function optionsOf(flags: TestFlagValues, view: ProgressView, cli: Cli): RunTestsOptions {
  const { case: cases, resume, onUsageLimit, maxWait } = flags;
  const { isTTY, columns } = cli.stderr;
  return {
    ...{ ...whereabouts(flags, cli), ...pick(flags, passedOn) },
    unattended: !cli.stdout.isTTY,
    limits: {
      ...(onUsageLimit !== undefined && { onUsageLimit }),
      ...(maxWait !== undefined && { maxWaitMs: maxWait * 1000 }),
    },
    ...(cases !== undefined && { cases }),
    ...(resume !== undefined && { resume: resume === true ? "newest" : resume }),
    createRuntime: (own: CreateRuntimeOptions = {}) => cli.createRuntime(own),
    ...{ loading: loadingIn(cli), onProgress: view.onProgress },
    logger: createStderrLogger({ isTTY, columns, write: (text) => view.note(text.trimEnd()) }),
  };
}

const passedOn = ["parallel", "trials", "backend", "auth", "rehearse", "failFast", "allowSideEffects"] as const;

function sayStopping({ interrupt }: Interruption, view: ProgressView): void {
  if (interrupt) view.note("Stopping; what has ended is kept. Once more ends at once.");
}

/** Before there was anything to keep. */
function explainBeginning(error: unknown, { interrupt }: Interruption, cli: Cli): number {
  if (!isBridleError(error)) throw error;
  if (interrupt && error.code === "stopped") return sayInterrupted("The tests were", interrupt, cli);
  throw error.code === "invalid_request" ? new UsageError(error.message, { cause: error }) : error;
}

async function tell(run: TestRun, wanted: WantedReport | undefined, flags: TestFlagValues, cli: Cli): Promise<void> {
  const { stdout, stderr, outputClosed } = cli;
  if (outputClosed.aborted) return;
  if (wanted && !wanted.file) return stdout.write(report(run, wanted.form));
  if (stdout.isTTY && stderr.isTTY) stderr.write("\n"); // from the lines of the cases
  stdout.write(resultText(run, pointersTo(run.id, flags), pageOf(cli)));
  if (!wanted?.file) return;
  await wanted.file.write(report(run, wanted.form));
  saySentence(`Report: ${wanted.file.name}`, stdout);
}

/** Why it ended before everything had run, how to go on, and the exit code. */
function conclude(run: TestRun, { fault, interrupt }: Interruption, cli: Cli): number {
  const { stderr } = cli;
  if (fault !== undefined) saySentence(explainFault(fault.error, cli), stderr);
  else if (run.stop && run.stop.reason !== "interrupted") saySentence(run.stop.message, stderr);
  const why = interrupt ? `Interrupted by ${interrupt}. ` : "";
  const left = leftWords(run);
  if (left !== undefined) {
    saySentence(`${why}${left}`, stderr);
    stderr.write(`  ${resumingLine(cli.arguments, run.id)}\n`);
  }
  return fault === undefined ? exitCodeOfTests(run, interrupt) : exitCodes.otherwise;
}

/** What --resume would run. */
function leftWords({ state, summary: { cases, notRun, errored } }: TestRun): string | undefined {
  if (state === "unfinished") return `${cases - notRun} of ${cases} cases have ended, and are kept. To go on:`;
  if (errored > 0) return "Where the host failed, nothing is known of the agent. To try that again:";
  return undefined;
}
