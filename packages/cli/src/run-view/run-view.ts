import { type AgentRunPlan, answersWithObject, reportRun } from "@bridle/app/runs";
import type { RunEvent, RunResult } from "@bridle/protocol";
import type { Cli, Output } from "../command/cli.ts";
import { formatJson, printJson, printSentence } from "../terminal/print-sentence.ts";
import { createEventLines } from "./event-lines.ts";
import { holdDuringQuestions } from "./hold-during-questions.ts";
import { createLiveView } from "./live-view.ts";

/** The form of standard output: the answer as text, one event per line, the result as JSON, or nothing. */
export type OutputForm = "text" | "events" | "json" | "none";

/** Shows each event of a run. An object is only shown at the end, when it is complete. */
export function createRunView(form: OutputForm, withObject: boolean, cli: Cli): (event: RunEvent) => void {
  if (form === "events") return (event) => cli.stdout.write(`${formatJson(event)}\n`);
  if (form === "json" || form === "none") return createLimitView(cli.stderr);
  const stdout: Output = withObject ? { write() {}, isTTY: false, columns: undefined } : cli.stdout;
  return holdDuringQuestions(createLiveView({ stdout, stderr: cli.stderr, environment: cli.environment }));
}

/** Shows usage limits on standard error, because the result may arrive hours later. */
function createLimitView(stderr: Output): (event: RunEvent) => void {
  const formatLine = createEventLines(stderr);
  return (event) => {
    const line = event.type.startsWith("limit.") ? formatLine(event) : undefined;
    if (line) stderr.write(`${line.text}\n`);
  };
}

/** Prints the result at the end of the run: as JSON, or the object that the answer contains. */
export function printResult(
  result: RunResult,
  plan: Pick<AgentRunPlan, "sessionId" | "schema" | "agent">,
  form: OutputForm,
  { stdout }: Cli,
): void {
  if (form === "json") printJson(reportRun(result, plan.sessionId), stdout);
  else if (form === "text" && answersWithObject(plan) && result.stopReason === "natural") {
    printJson(result.object, stdout);
  }
}

/** Prints why a run ended. `undefined` stands for a natural end. Prints nothing if the output is closed. */
export function printReason(reason: string | undefined, { stderr, outputClosed }: Cli): void {
  if (reason !== undefined && !outputClosed.aborted) printSentence(reason, stderr);
}
