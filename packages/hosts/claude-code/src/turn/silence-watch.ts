import { startTimer } from "@bridle/core";
import { ConfigError, TimeoutError } from "@bridle/protocol";
import type { AuthMode } from "../options.ts";

/**
 * Milliseconds of silence until a turn is given up. The host passes no pings of the service on; while the model thinks it
 * tells how many tokens that has taken, where the service says so (observed on 2.1.330).
 */
const defaultIdleTimeoutMs = 300_000;

/** Ends a turn whose host says nothing any more, as where the service takes a request and never answers. */
export interface SilenceWatch {
  /** The host said something, and need not speak for another `restMs` beside what is allowed anyway. */
  heard(restMs?: number): void;
  /** The host waits for this call until `release`; any number may be waited for. */
  hold(callId: string): void;
  /** Of no effect for a call that nobody waits for. */
  release(callId: string): void;
  stop(): void;
}

/** Begins at once, and calls `onSilence` once at most. */
export function createSilenceWatch(idleTimeoutMs: number, onSilence: () => void): SilenceWatch {
  const held = new Set<string>();
  let stopped = false;
  let callOff = () => {};

  function heard(restMs = 0): void {
    callOff();
    if (held.size === 0 && !stopped) callOff = startTimer(idleTimeoutMs + restMs, onSilence);
  }

  heard();
  return {
    heard,
    hold(callId) {
      held.add(callId);
      callOff();
    },
    release(callId) {
      if (held.delete(callId)) heard();
    },
    stop() {
      stopped = true;
      callOff();
    },
  };
}

/** The silence that is allowed, in milliseconds. Throws ConfigError for one that is no whole number above 0. */
export function idleTimeoutOf(idleTimeoutMs: number | undefined): number {
  if (idleTimeoutMs === undefined) return defaultIdleTimeoutMs;
  if (Number.isSafeInteger(idleTimeoutMs) && idleTimeoutMs > 0) return idleTimeoutMs;
  const field = "llm.provider.idleTimeoutMs";
  const message = `${field} is ${idleTimeoutMs}. Give a whole number from 1, or leave it out.`;
  throw new ConfigError(message, { field });
}

export function silent(idleTimeoutMs: number, auth: AuthMode): TimeoutError {
  return new TimeoutError(
    `Claude Code said nothing for ${idleTimeoutMs / 1000} s (auth: ${auth}). ` +
      "Try again later, or allow more silence with llm.provider.idleTimeoutMs.",
  );
}
