import type { RunEvent, RunResult } from "@bridle/core";
import type { Cli, Output } from "../cli/cli.ts";
import { createLiveView } from "./live-view.ts";
import type { RunPlan } from "./perform-run.ts";

/** What goes to standard output: the answer, one event a line, or the result. */
export type Form = "text" | "events" | "json";

/** What happens with each event while the run goes on. An object is only shown whole, at the end. */
export function viewOf(form: Form, isObject: boolean, cli: Cli): (event: RunEvent) => void {
  if (form === "events") return (event) => cli.stdout.write(`${JSON.stringify(event)}\n`);
  if (form === "json") return () => {};
  const stdout: Output = isObject ? { write() {}, isTTY: false, columns: undefined } : cli.stdout;
  return createLiveView({ stdout, stderr: cli.stderr, environment: cli.environment });
}

/** What is said at the end. */
export function report(result: RunResult, { form, schema }: RunPlan, cli: Cli): void {
  if (form === "json") cli.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
  else if (form === "text" && schema && result.stopReason === "natural")
    cli.stdout.write(`${JSON.stringify(result.object, undefined, 2)}\n`);
  if (!cli.outputClosed.aborted) cli.stderr.write(reasonOf(result));
}

function reasonOf({ stopReason, error, steps }: RunResult): string {
  if (stopReason === "natural") return "";
  if (error) return `${error.message}\n`;
  return `The run ended at its budget (${steps} ${steps === 1 ? "step" : "steps"}). Allow more with --steps.\n`;
}
