import type { ReadStream } from "node:tty";

/**
 * Reads the next line that the user types; `undefined` when `signal` is aborted or the terminal is closed. Text that was typed
 * before the question is dropped, because it cannot be an answer.
 */
export type ReadLine = (signal: AbortSignal) => Promise<string | undefined>;

/** How soon text must arrive to count as typed before the user could read the question. */
const typedAheadMs = 50;

export function createLineReader(terminal: ReadStream): ReadLine {
  return (signal) =>
    new Promise((resolve) => {
      const askedAt = performance.now();
      let text = "";
      function onData(chunk: Buffer | string): void {
        if (performance.now() - askedAt < typedAheadMs) return;
        text += String(chunk);
        const end = text.indexOf("\n");
        if (end >= 0) leave(text.slice(0, end));
      }
      const onEnd = () => leave(undefined);
      function leave(line: string | undefined): void {
        terminal.off("data", onData).off("end", onEnd).pause();
        signal.removeEventListener("abort", onEnd);
        resolve(line);
      }
      signal.addEventListener("abort", onEnd, { once: true });
      terminal.on("data", onData).on("end", onEnd).resume();
      if (signal.aborted || terminal.readableEnded) leave(undefined);
    });
}
