import type { Environment } from "@bridle/app";
import { showControls } from "@bridle/protocol";
import type { Output } from "../command/cli.ts";
import { toPrintable } from "../terminal/printable.ts";
import { WaitingLine } from "../terminal/waiting-line.ts";

/** The last character of a string and its combining marks, unless it is ASCII. Text that arrives later may still change it. */
const unfinished = /(?:\r|[^\p{ASCII}](?:\p{M}|\p{Cf}|[\u{1f3fb}-\u{1f3ff}]){0,16})$/u;

/** Coordinates standard output and standard error, which often use the same terminal. */
export class Screen {
  readonly #stdout: Output;
  readonly #stderr: Output;
  readonly #waiting: WaitingLine;
  readonly #isShared: boolean;
  /** Whether the output is in the middle of a line of the answer. */
  #isMidLine = false;
  /** The end of the text. It is kept back as long as the next text can change how it looks. */
  #held = "";

  constructor(stdout: Output, stderr: Output, environment: Environment) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#waiting = new WaitingLine(stderr, environment);
    this.#isShared = stdout.isTTY && stderr.isTTY;
  }

  /** Adds text to the answer. */
  print(text: string): void {
    const all = this.#held + text;
    [this.#held = ""] = unfinished.exec(all) ?? [];
    this.#write(all.slice(0, all.length - this.#held.length));
  }

  /** Ends the answer's line, if it has begun one. */
  endLine(): void {
    this.#release();
    if (this.#isMidLine) this.#write("\n");
  }

  /** Writes a line to standard error, never within a line of the answer. */
  note(line: string): void {
    this.yield();
    this.#stderr.write(`${line}\n`);
  }

  /** Shows a waiting line until something else is shown. `remainingMs` counts down. */
  wait(label: string, remainingMs?: number): void {
    if (!(this.#isShared && this.#isMidLine)) this.#waiting.restart(label, remainingMs);
  }

  /** Leaves the terminal to other output, at the start of a line. */
  yield(): void {
    this.#release();
    this.#waiting.stop();
    if (!this.#isShared || !this.#isMidLine) return;
    this.#stderr.write("\n");
    this.#isMidLine = false;
  }

  /** Escapes hidden characters for a terminal. For programs that read the text, only control characters are removed. */
  #write(text: string): void {
    if (text === "") return;
    this.#waiting.stop();
    this.#stdout.write(this.#stdout.isTTY ? toPrintable(text) : showControls(text));
    this.#isMidLine = !text.endsWith("\n");
  }

  #release(): void {
    const held = this.#held;
    this.#held = "";
    this.#write(held);
  }

  /** Ends the output. */
  end(): void {
    this.#waiting.stop();
    this.endLine();
  }
}
