import type { Environment } from "@bridle/project";
import type { Approval, ApprovalAnswer, Approver } from "@bridle/protocol";
import type { Output } from "../cli/cli.ts";
import type { ReadLine } from "../cli/line-reader.ts";
import { createPaint } from "../run/paint.ts";
import { parseAnswer } from "./parse-answer.ts";
import { personOf } from "./person-of.ts";
import { paragraph, questionLines } from "./question-lines.ts";

interface Terminal {
  readonly stderr: Output;
  readonly readLine: ReadLine;
  readonly environment: Environment;
}

/** Asks whoever sits at the terminal, one question after the other. */
export function createTerminalApprover({ stderr, readLine, environment }: Terminal): Approver {
  const paint = createPaint(stderr, environment);
  const by = personOf(environment) ?? "somebody at the terminal";
  const say = (text: string) => stderr.write(`${text}\n`);
  let before: Promise<unknown> = Promise.resolve();

  function show(approval: Approval, whole = false): void {
    const lines = questionLines(approval, (stderr.columns ?? 80) - 1, whole);
    for (const { text, colour } of lines) say(colour ? paint(colour, text) : text);
  }

  async function read(signal: AbortSignal): Promise<string> {
    stderr.write("  › ");
    const line = await readLine(signal);
    if (line !== undefined) return line;
    say("");
    if (signal.aborted) sayWhy(signal);
    throw new Error("the terminal gave no answer");
  }

  /** Why nobody needs to answer: somebody else has, or the run is over. */
  function sayWhy({ reason }: AbortSignal): void {
    const width = (stderr.columns ?? 80) - 1;
    for (const { text } of paragraph(reason instanceof Error ? reason.message : "", width)) say(paint("dim", text));
  }

  async function ask(approval: Approval, signal: AbortSignal): Promise<ApprovalAnswer> {
    signal.throwIfAborted();
    show(approval);
    for (;;) {
      const typed = parseAnswer(await read(signal), approval);
      const input = typed.kind === "edit" ? await readInput(signal) : undefined;
      if (typed.kind === "answer") return { ...typed.answer, by, inputHash: approval.inputHash };
      if (input !== undefined) return { decision: "allow", input: input.value, by, inputHash: approval.inputHash };
      if (typed.kind === "unknown") say("  Type one of the keys, and Enter.");
      else show(approval, typed.kind === "view");
    }
  }

  /** Nothing when the person thinks better of it. */
  async function readInput(signal: AbortSignal): Promise<{ value: unknown } | undefined> {
    for (;;) {
      say("  The new input as JSON, on one line; or an empty line:");
      const line = (await read(signal)).trim();
      if (line === "") return undefined;
      try {
        return { value: JSON.parse(line) };
      } catch (error) {
        say(paint("red", `  This is not JSON: ${error instanceof Error ? error.message : String(error)}`));
      }
    }
  }

  return (approval, signal) => {
    const answered = before.then(() => ask(approval, signal));
    before = answered.catch(() => {});
    return answered;
  };
}
