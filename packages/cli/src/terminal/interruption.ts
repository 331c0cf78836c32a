import type { Cli, Interrupt } from "../command/cli.ts";
import { exitCodes } from "../command/exit-codes.ts";

type InterruptionSources = Pick<Cli, "onInterrupt" | "onFault" | "outputClosed">;

/** Watches for events that end a run from outside: an interrupt, a closed output, or a tool that fails outside of its call. */
export class Interruption {
  readonly #controller = new AbortController();
  readonly #disposals: readonly (() => void)[];
  #interrupt: Interrupt | undefined;
  #fault: { readonly error: unknown } | undefined;

  constructor({ onInterrupt, onFault, outputClosed }: InterruptionSources) {
    const onClosed = () => this.#controller.abort("its output can no longer be written");
    this.#disposals = [
      onInterrupt((name) => this.#onInterrupt(name)),
      onFault((error) => this.#onFault(error)),
      () => outputClosed.removeEventListener("abort", onClosed),
    ];
    if (outputClosed.aborted) onClosed();
    outputClosed.addEventListener("abort", onClosed, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get interrupt(): Interrupt | undefined {
    return this.#interrupt;
  }

  /** The first error that a tool threw outside of its call. */
  get fault(): { readonly error: unknown } | undefined {
    return this.#fault;
  }

  /** Stops watching. Interrupts have their default effect again. */
  dispose(): void {
    for (const dispose of this.#disposals) dispose();
  }

  #onInterrupt(name: Interrupt): void {
    this.#interrupt = name;
    this.#controller.abort(`interrupted by ${name}`);
  }

  #onFault(error: unknown): void {
    this.#fault ??= { error };
    this.#controller.abort("a tool failed outside its call");
  }
}

/** Prints that a command was interrupted, and returns its exit code. `subject` begins the sentence: `The checks were`. */
export function reportInterrupt(subject: string, interrupt: Interrupt, { stderr }: Pick<Cli, "stderr">): number {
  stderr.write(`${subject} stopped: interrupted by ${interrupt}.\n`);
  return exitCodes[interrupt];
}
