import type { Cli, Interrupt } from "../cli/cli.ts";

/** What ends a run from outside: an interrupt, or a reader that went away. */
export interface Interruption {
  readonly signal: AbortSignal;
  readonly interrupt: Interrupt | undefined;
  /** Leaves interrupts to their default again. */
  dispose(): void;
}

export function watchInterruptions({
  onInterrupt,
  outputClosed,
}: Pick<Cli, "onInterrupt" | "outputClosed">): Interruption {
  const controller = new AbortController();
  let interrupt: Interrupt | undefined;
  const dispose = onInterrupt((name) => {
    interrupt = name;
    controller.abort(`interrupted by ${name}`);
  });
  const onClosed = () => controller.abort("nobody reads its output any more");
  if (outputClosed.aborted) onClosed();
  outputClosed.addEventListener("abort", onClosed, { once: true });
  return {
    signal: controller.signal,
    get interrupt() {
      return interrupt;
    },
    dispose() {
      dispose();
      outputClosed.removeEventListener("abort", onClosed);
    },
  };
}
