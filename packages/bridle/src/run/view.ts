import type { RunEvent, RunResult } from "@bridle/protocol";
import type { Cli, Output } from "../cli/cli.ts";
import { saySentence } from "../report/say-sentence.ts";
import { createEventLines } from "./event-lines.ts";
import { holdDuringQuestions } from "./hold-during-questions.ts";
import { createLiveView } from "./live-view.ts";
import { type Form, isObject, type RunPlan } from "./plan.ts";

/** What happens with each event while the run goes on. An object is only shown whole, at the end. */
export function viewOf(form: Form, isObject: boolean, cli: Cli): (event: RunEvent) => void {
  if (form === "events") return (event) => cli.stdout.write(`${JSON.stringify(event)}\n`);
  if (form === "json") return tellLimits(cli.stderr);
  const stdout: Output = isObject ? { write() {}, isTTY: false, columns: undefined } : cli.stdout;
  return holdDuringQuestions(createLiveView({ stdout, stderr: cli.stderr, environment: cli.environment }));
}

/** A result that may come hours later is announced beside it. */
function tellLimits(stderr: Output): (event: RunEvent) => void {
  const lineOf = createEventLines(stderr);
  return (event) => {
    const line = event.type.startsWith("limit.") ? lineOf(event) : undefined;
    if (line) stderr.write(`${line.text}\n`);
  };
}

/** What goes to standard output at the end. */
export function showResult(result: RunResult, plan: RunPlan, { stdout }: Cli): void {
  const { form, sessionId } = plan;
  const named = { ...result, ...(sessionId !== undefined && { sessionId }) };
  if (form === "json") stdout.write(`${JSON.stringify(named, undefined, 2)}\n`);
  else if (form === "text" && isObject(plan) && result.stopReason === "natural")
    stdout.write(`${JSON.stringify(result.object, undefined, 2)}\n`);
}

/** Says why the run ended, unless it ended by itself or nobody reads any more. */
export function sayReason(reason: string | undefined, { stderr, outputClosed }: Cli): void {
  if (reason !== undefined && !outputClosed.aborted) saySentence(reason, stderr);
}

export function reasonOf({ stopReason, error, steps }: RunResult): string | undefined {
  if (stopReason === "natural") return undefined;
  if (error) return error.message;
  return `The run ended at its budget (${steps} ${steps === 1 ? "step" : "steps"}). Allow more with --steps.`;
}
