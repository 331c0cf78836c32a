import { type Cli, type Interrupt } from "../command-line/cli.ts";
import { exitCodes } from "../command-line/exit-codes.ts";

/** What ends a run from outside: an interrupt, a reader that went away, or a tool that fails outside of its call. */
export interface Interruption {
  readonly signal: AbortSignal;
  readonly interrupt: Interrupt | undefined;
  /** The first error of a tool outside of its call. */
  readonly fault: { readonly error: unknown } | undefined;
  /** Leaves interrupts to their default again. */
  dispose(): void;
}

export function watchInterruptions({
  onInterrupt,
  onFault,
  outputClosed,
}: Pick<Cli, "onInterrupt" | "onFault" | "outputClosed">): Interruption {
  const controller = new AbortController();
  let interrupt: Interrupt | undefined;
  let fault: Interruption["fault"];
  const disposals = [
    onInterrupt((name) => {
      interrupt = name;
      controller.abort(`interrupted by ${name}`);
    }),
    onFault((error) => {
      fault ??= { error };
      controller.abort("a tool failed outside of its call");
    }),
    () => outputClosed.removeEventListener("abort", onClosed),
  ];
  const onClosed = () => controller.abort("its output can no longer be written");
  if (outputClosed.aborted) onClosed();
  outputClosed.addEventListener("abort", onClosed, { once: true });
  return {
    signal: controller.signal,
    get interrupt() {
      return interrupt;
    },
    get fault() {
      return fault;
    },
    dispose() {
      for (const dispose of disposals) dispose();
    },
  };
}

/** What a command ends with that was interrupted; `what` begins the sentence about it, such as `The checks were`. */
export function sayInterrupted(what: string, interrupt: Interrupt, { stderr }: Pick<Cli, "stderr">): number {
  stderr.write(`${what} stopped: interrupted by ${interrupt}.\n`);
  return exitCodes[interrupt];
}
