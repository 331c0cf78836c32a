import type { BridleError } from "@bridle/protocol";
import type { Stop } from "../result/test-event.ts";

/** Why an invocation ends before everything has run: the first cause counts. */
export interface Stopping {
  readonly stop: Stop | undefined;
  /** Aborted where what runs is given up, too. */
  readonly signal: AbortSignal;
  /** Somebody interrupts: what runs is given up. */
  interrupt(): void;
  /** After a trial that did not pass, where that is enough: what runs is given up. */
  failFast(caseName: string): void;
  /** A used-up window or a refused login: nothing more is begun, and what runs may end. */
  holdBack(error: BridleError): void;
  /** Something went wrong that makes all else pointless: what runs is given up. */
  giveUp(): void;
  /** Listens to the caller's signal no more. */
  close(): void;
}

export function createStopping(caller: AbortSignal | undefined): Stopping {
  const running = new AbortController();
  let stop: Stop | undefined;
  const end = (reason: Stop["reason"], message: string, code: string | null = null) => {
    stop ??= { reason, message, code };
  };
  const giveUp = () => running.abort("the tests were stopped");
  function interrupt(): void {
    end("interrupted", "The tests were interrupted. What had ended is kept; --resume goes on with the rest.");
    giveUp();
  }
  if (caller?.aborted) interrupt();
  caller?.addEventListener("abort", interrupt, { once: true });
  return {
    get stop() {
      return stop;
    },
    signal: running.signal,
    interrupt,
    failFast(caseName) {
      end("fail-fast", `The case "${caseName}" did not pass, which ends the tests where they are to fail fast.`);
      giveUp();
    },
    holdBack(error) {
      end(error.code === "authentication" ? "authentication" : "usage-limit", sayLimit(error), error.code);
    },
    giveUp,
    close: () => caller?.removeEventListener("abort", interrupt),
  };
}

/** With the time for machines, too, where the host told when its window opens again. */
function sayLimit(error: BridleError): string {
  const resetsAt: unknown = Reflect.get(error, "resetsAt");
  return resetsAt instanceof Date ? `${error.message} It opens at ${resetsAt.toISOString()}.` : error.message;
}
