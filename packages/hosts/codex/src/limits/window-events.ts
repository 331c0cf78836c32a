import { type BackendEvent, omitUndefined } from "@bridle/protocol";
import type { HostLimits } from "../messages/messages.ts";
import { type UsageWindow, windowsOf } from "./windows.ts";

/** The used shares that trigger a warning about a window, from 0 to 1. Codex itself warns at the same shares (0.169.0). */
const warnedAt: readonly number[] = [0.75, 0.9, 0.95, 1];

/** Warns about an account's usage windows during a turn, once at each share. */
export class WindowWarnings {
  readonly #warned = new Map<string, number>();
  #newest: HostLimits | undefined;

  /** Returns the warnings for a report. A used-up window is left out, because the error of the turn may follow and report it. */
  update(limits: HostLimits): BackendEvent[] {
    this.#newest = limits;
    return this.#warn(({ utilization }) => utilization < 1);
  }

  /**
   * Returns the last warnings. Call this if the turn has ended normally. Also reports used-up windows, because the account continues with
   * credits.
   */
  finish(): BackendEvent[] {
    return this.#warn(() => true);
  }

  #warn(isMeant: (window: UsageWindow) => boolean): BackendEvent[] {
    return windowsOf(this.#newest)
      .filter(isMeant)
      .flatMap(({ window, resetsAt, utilization }) => {
        const level = warnedAt.findLast((share) => utilization >= share) ?? 0;
        if (level <= (this.#warned.get(window) ?? 0)) return [];
        this.#warned.set(window, level);
        return [omitUndefined({ type: "limit.warned" as const, window, resetsAt: resetsAt?.getTime(), utilization })];
      });
  }
}
