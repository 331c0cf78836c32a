import type { Environment } from "@bridle/app";
import { showControls } from "@bridle/protocol";
import type { Output } from "../command/cli.ts";
import { toPrintable } from "../terminal/printable.ts";
import { WaitingLine } from "../terminal/waiting-line.ts";

/** The last character of a text and its marks, unless it is ASCII. Half a character is complete with the next text. */
const unfinished = /(?:\r|[^\p{ASCII}](?:\p{M}|\p{Cf}|[\u{1f3fb}-\u{1f3ff}]){0,16})$/u;

/** Coordinates standard output and standard error, which often share a terminal. */
export class Screen {
  readonly #stdout: Output;
  readonly #stderr: Output;
  readonly #waiting: WaitingLine;
  readonly #isShared: boolean;
  /** Whether the answer is within a line. */
  #isMidLine = false;
  /** The end of the text, as long as the next text can change how it looks. */
  #held = "";

  constructor(stdout: Output, stderr: Output, environment: Environment) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#waiting = new WaitingLine(stderr, environment);
    this.#isShared = stdout.isTTY && stderr.isTTY;
  }

  /** Adds to the answer. */
  print(text: string): void {
    const all = this.#held + text;
    [this.#held = ""] = unfinished.exec(all) ?? [];
    this.#write(all.slice(0, all.length - this.#held.length));
  }

  /** Ends the answer's line, if it is within one. */
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

  /** Leaves the terminal to another writer, at the start of a line. */
  yield(): void {
    this.#release();
    this.#waiting.stop();
    if (!this.#isShared || !this.#isMidLine) return;
    this.#stderr.write("\n");
    this.#isMidLine = false;
  }

  /** A terminal gets hidden characters as escapes. A program that reads the text gets all but control characters. */
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
