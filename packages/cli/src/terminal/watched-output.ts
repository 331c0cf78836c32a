import type { Output } from "../command/cli.ts";

/** An output that records whether anything was written to it. */
export class WatchedOutput implements Output {
  isUsed = false;
  readonly #output: Output;

  constructor(output: Output) {
    this.#output = output;
  }

  get isTTY(): boolean {
    return this.#output.isTTY;
  }

  get columns(): number | undefined {
    return this.#output.columns;
  }

  get rows(): number | undefined {
    return this.#output.rows;
  }

  get command(): string | undefined {
    return this.#output.command;
  }

  write(text: string): void {
    if (text !== "") this.isUsed = true;
    this.#output.write(text);
  }
}
