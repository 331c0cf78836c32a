import type { BridleError } from "@bridle/protocol";
import type { Stop } from "../result/test-event.ts";

/** Why an invocation stops before all trials have run. Only the first reason is kept. */
export interface Stopping {
  readonly stop: Stop | undefined;
  /** Aborted if the running trials should stop, too. */
  readonly signal: AbortSignal;
  /** Stops because of an interrupt by the user. Running trials are aborted. */
  interrupt(): void;
  /** Stops because a trial did not pass and the tests fail fast. Running trials are aborted. */
  failFast(caseName: string): void;
  /** Starts no more trials, because of a used-up window or a refused login. Running trials may finish. */
  holdBack(error: BridleError): void;
  /** Stops because of an unexpected error. Running trials are aborted. */
  giveUp(): void;
  /** Stops listening to the caller's signal. */
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
    end("interrupted", "The tests were interrupted. Finished results are stored; --resume runs the rest.");
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
      end("fail-fast", `The case "${caseName}" did not pass, and the tests fail fast.`);
      giveUp();
    },
    holdBack(error) {
      end(error.code === "authentication" ? "authentication" : "usage-limit", formatLimit(error), error.code);
    },
    giveUp,
    close: () => caller?.removeEventListener("abort", interrupt),
  };
}

/** Returns the message, with the exact time if the host reported when its window opens. */
function formatLimit(error: BridleError): string {
  const resetsAt: unknown = Reflect.get(error, "resetsAt");
  return resetsAt instanceof Date ? `${error.message} It opens at ${resetsAt.toISOString()}.` : error.message;
}
