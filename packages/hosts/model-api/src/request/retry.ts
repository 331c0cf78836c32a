/**
 * The one owner of retries: the provider modules do not repeat a streamed request, and nothing above this does.
 */
import type { BridleError } from "@bridle/protocol";

export interface Pauses {
  /** Resolves after so many milliseconds; rejects with the signal's reason when that comes first. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 to 1. */
  random(): number;
}

const firstDelayMs = 500;
const longestDelayMs = 8_000;
/** A host that asks for a longer wait than this is not waited for: the error says so now. */
const longestHostDelayMs = 60_000;
const passing: readonly string[] = ["network", "rate_limit", "overloaded"];

/** Milliseconds until attempt number `next`, or undefined where the request is not to be sent again. */
export function delayBefore(
  next: number,
  { error, headers, random }: { error: BridleError; headers: Readonly<Record<string, string>>; random: number },
): number | undefined {
  if (!passing.includes(error.code) || headers["x-should-retry"] === "false") return undefined;
  const asked = askedDelay(headers);
  if (asked !== undefined) return asked <= longestHostDelayMs ? asked : undefined;
  const full = Math.min(longestDelayMs, firstDelayMs * 2 ** (next - 2));
  return Math.round(full * (0.5 + random / 2));
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date; undefined for what is none of these. */
function askedDelay(headers: Readonly<Record<string, string>>): number | undefined {
  const { "retry-after-ms": ms = "", "retry-after": after = "" } = headers;
  if (isNumber(ms)) return Number(ms);
  if (isNumber(after)) return Number(after) * 1000;
  const date = /^[a-z]{3,9}, /i.test(after) ? Date.parse(after) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function isNumber(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text);
}

export const realPauses: Pauses = {
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      }, ms);
      if (signal.aborted) onAbort();
      else signal.addEventListener("abort", onAbort, { once: true });
    }),
  random: Math.random,
};
