import type { Environment } from "@bridle/app";
import { userName } from "@bridle/app/approvals";
import { type Approval, type ApprovalAnswer, type Approver, getErrorMessage } from "@bridle/protocol";
import type { Output } from "../command/cli.ts";
import type { ReadLine } from "../command/line-reader.ts";
import { createPaint, type Paint } from "../terminal/paint.ts";
import { toPrintableLine } from "../terminal/printable.ts";
import { parseTypedAnswer } from "./parse-answer.ts";
import { paintLines, paragraph, questionLines } from "./question-lines.ts";

interface ApproverTerminal {
  readonly stderr: Output;
  readonly readLine: ReadLine;
  readonly environment: Environment;
}

/** Asks the user at the terminal, one question after the other. */
export function createTerminalApprover(terminal: ApproverTerminal): Approver {
  const approver = new TerminalApprover(terminal);
  return (approval, signal) => approver.approve(approval, signal);
}

class TerminalApprover {
  readonly #stderr: Output;
  readonly #readLine: ReadLine;
  readonly #paint: Paint;
  readonly #by: string;
  /** Calls that the user answered with another input. If this input is not valid for the tool, the user is asked about the call again. */
  readonly #edited = new Set<string>();
  /** Settles when the previous question is settled. */
  #previous: Promise<unknown> = Promise.resolve();

  constructor({ stderr, readLine, environment }: ApproverTerminal) {
    this.#stderr = stderr;
    this.#readLine = readLine;
    this.#paint = createPaint(stderr, environment);
    this.#by = userName();
  }

  approve(approval: Approval, signal: AbortSignal): Promise<ApprovalAnswer> {
    const answered = this.#previous.then(() => this.#ask(approval, signal));
    this.#previous = answered.catch(() => {});
    return answered;
  }

  async #ask(approval: Approval, signal: AbortSignal): Promise<ApprovalAnswer> {
    signal.throwIfAborted();
    const { inputHash } = approval;
    this.#show(approval);
    if (approval.problem !== undefined && this.#edited.delete(keyOf(approval))) {
      const again = await this.#readInput(approval, signal); // a key would be an answer about the input before the edit
      if (again !== undefined) return { decision: "allow", input: again.value, by: this.#by, inputHash };
      this.#write("  The keys are for the input that is shown above, without your edit.");
    }
    for (;;) {
      const typed = parseTypedAnswer(await this.#read(signal), approval);
      const input = typed.kind === "edit" ? await this.#readInput(approval, signal) : undefined;
      if (typed.kind === "answer") return { ...typed.answer, by: this.#by, inputHash };
      if (input !== undefined) return { decision: "allow", input: input.value, by: this.#by, inputHash };
      if (typed.kind === "unknown") this.#write("  Type one of the keys and press Enter.");
      else this.#show(approval, typed.kind === "view");
    }
  }

  /** Asks for the input; `undefined` if the user changes their mind. */
  async #readInput(approval: Approval, signal: AbortSignal): Promise<{ value: unknown } | undefined> {
    for (;;) {
      this.#write("  Type the new input as JSON on one line, or an empty line to cancel:");
      const line = (await this.#read(signal)).trim();
      if (line === "") return undefined;
      try {
        const value: unknown = JSON.parse(line);
        this.#edited.add(keyOf(approval));
        return { value };
      } catch (error) {
        this.#write(this.#paint("red", `  This is not valid JSON: ${toPrintableLine(getErrorMessage(error))}`));
      }
    }
  }

  async #read(signal: AbortSignal): Promise<string> {
    this.#stderr.write("  › ");
    const line = await this.#readLine(signal);
    if (line !== undefined) return line;
    this.#write("");
    if (signal.aborted) this.#showReason(signal);
    throw new Error("the terminal gave no answer");
  }

  #show(approval: Approval, whole = false): void {
    this.#stderr.write(paintLines(questionLines(approval, this.#width(), whole), this.#paint));
  }

  /** Shows why an answer is no longer needed: another process has answered, or the run has ended. */
  #showReason({ reason }: AbortSignal): void {
    const lines = paragraph(reason instanceof Error ? reason.message : "", this.#width());
    for (const { text } of lines) this.#write(this.#paint("dim", text));
  }

  #write(text: string): void {
    this.#stderr.write(`${text}\n`);
  }

  #width(): number {
    return (this.#stderr.columns ?? 80) - 1;
  }
}

function keyOf({ runId, callId }: Approval): string {
  return `${runId} ${callId}`;
}
