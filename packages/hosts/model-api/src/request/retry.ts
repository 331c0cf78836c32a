/**
 * Decides whether and when a request is repeated. Nothing else repeats requests: neither the provider modules nor the layers above this
 * one.
 */
import type { BridleError } from "@bridle/protocol";

export interface Pauses {
  /** Resolves after `ms` milliseconds. If the signal is aborted first, rejects with its reason. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Returns a random number from 0 to 1. */
  random(): number;
}

const firstDelayMs = 500;
const maxDelayMs = 8_000;
/** The longest wait that a host may ask for, in milliseconds. If a host asks for a longer wait, the request fails at once. */
const maxHostDelayMs = 60_000;
const retried: readonly string[] = ["network", "rate_limit", "overloaded"];

/** Returns the milliseconds until attempt number `next`, or `undefined` if the request must not be sent again. */
export function delayBefore(
  next: number,
  { error, headers, random }: { error: BridleError; headers: Readonly<Record<string, string>>; random: number },
): number | undefined {
  if (!retried.includes(error.code) || headers["x-should-retry"] === "false") return undefined;
  const requested = requestedDelay(headers);
  if (requested !== undefined) return requested <= maxHostDelayMs ? requested : undefined;
  const full = Math.min(maxDelayMs, firstDelayMs * 2 ** (next - 2));
  return Math.round(full * (0.5 + random / 2));
}

/** Reads the requested delay from `retry-after-ms`, or from `retry-after` in seconds or as a date. Ignores other values. */
function requestedDelay(headers: Readonly<Record<string, string>>): number | undefined {
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
