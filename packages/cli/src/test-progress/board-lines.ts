import { formatDuration } from "@bridle/protocol";
import { columnsOf, cutAt } from "../terminal/columns.ts";
import type { Page } from "../terminal/page.ts";
import { toPrintableLine } from "../terminal/printable.ts";
import { countCases, estimateLeft, type Tally } from "./tally.ts";

/** A wait for a usage window. `until` is in milliseconds since the epoch. */
export interface Wait {
  readonly until: number;
}

/** How long a test run has to take before an estimate is shown. */
const longMs = 10_000;
const secondMs = 1000;

/** Formats the screen of a test run in progress: as many of the running trials as fit, and the counts. */
export function boardLines(tally: Tally, wait: Wait | undefined, now: number, rows: number, page: Page): string[] {
  const { running } = tally;
  const room = running.length > rows - 1 ? rows - 2 : running.length;
  const shown = running.slice(0, Math.max(0, room));
  const hidden = running.length - shown.length;
  return [
    ...shown.map((trial) => page.paint("dim", runningLine(tally, trial, now, page))),
    ...(hidden > 0 ? [page.paint("dim", cutAt(`  and ${hidden} more`, page.width))] : []),
    countLine(tally, wait, now, page),
  ];
}

function runningLine({ plan }: Tally, { case: name, trial, since }: Tally["running"][number], now: number, page: Page) {
  const which = plan.trials > 1 ? ` (${trial} of ${plan.trials})` : "";
  const end = `${which} ${formatSeconds(now - since)}`;
  return `  ${cutAt(toPrintableLine(name), Math.max(1, page.width - 2 - columnsOf(end)))}${end}`;
}

/** Formats the counts in words, the most important first, because a narrow terminal shows only these. */
function countLine(tally: Tally, wait: Wait | undefined, now: number, page: Page): string {
  const { passed, failed, errored, left } = countCases(tally);
  const words = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(errored > 0 ? [`${errored} with errors`] : []),
    `${left} of ${tally.plan.cases.length} left`,
    formatTime(tally, wait, now),
  ];
  const colour = failed > 0 ? "red" : errored > 0 ? "yellow" : "green";
  return page.paint(colour, cutAt(words.join(" · "), page.width));
}

function formatTime(tally: Tally, wait: Wait | undefined, now: number): string {
  if (wait !== undefined && wait.until > now)
    return `waiting for the usage limit, ${formatSeconds(wait.until - now)} left`;
  const gone = now - tally.startedAt;
  const left = estimateLeft(tally, now);
  const isLong = left !== undefined && gone + left > longMs && countCases(tally).left > 0;
  return `${formatSeconds(gone)}${isLong ? `, about ${formatSeconds(Math.max(left, secondMs))} left` : ""}`;
}

/** Formats a duration in whole seconds, because fractions of a second would flicker. */
function formatSeconds(ms: number): string {
  const whole = Math.max(0, Math.round(ms / secondMs)) * secondMs;
  return whole < 60_000 ? `${whole / secondMs} s` : formatDuration(whole);
}
