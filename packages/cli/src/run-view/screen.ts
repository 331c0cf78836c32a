import { type Environment, stripControlCharacters } from "@bridle/app";
import type { Output } from "../command-line/cli.ts";
import { WaitingLine } from "../terminal/waiting-line.ts";

/** Coordinates standard output and standard error, which often share a terminal. */
export class Screen {
  readonly #stdout: Output;
  readonly #stderr: Output;
  readonly #waiting: WaitingLine;
  readonly #isShared: boolean;
  /** Whether the answer is within a line. */
  #isMidLine = false;

  constructor(stdout: Output, stderr: Output, environment: Environment) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#waiting = new WaitingLine(stderr, environment);
    this.#isShared = stdout.isTTY && stderr.isTTY;
  }

  /** Adds to the answer. */
  print(text: string): void {
    if (text === "") return;
    this.#waiting.stop();
    this.#stdout.write(this.#stdout.isTTY ? stripControlCharacters(text) : text);
    this.#isMidLine = !text.endsWith("\n");
  }

  /** Ends the answer's line, if it is within one. */
  endLine(): void {
    if (this.#isMidLine) this.print("\n");
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
    this.#waiting.stop();
    if (!this.#isShared || !this.#isMidLine) return;
    this.#stderr.write("\n");
    this.#isMidLine = false;
  }

  /** Ends the output. */
  end(): void {
    this.#waiting.stop();
    this.endLine();
  }
}
