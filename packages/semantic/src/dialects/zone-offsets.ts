/** Writes time zone offsets from the JavaScript runtime, for engines without a time zone database. */
import { refuseMetric } from "../refusals/metric-refusal.ts";

/** The range of known offsets. No zone changed its offset before the first date, because clocks followed the sun. */
const [first, last] = [Date.UTC(1840, 0, 1), Date.UTC(2100, 0, 1)];
const day = 86_400_000;
const cache = new Map<string, readonly Transition[]>();

interface Transition {
  /** The start of the offset, in milliseconds since 1970. */
  readonly at: number;
  readonly seconds: number;
}

/** The number of transitions in one inner CASE. Nesting reduces the number of comparisons. */
const blockSize = 20;

/** Writes an expression for the seconds to add to a moment in UTC. The first and last offsets also apply to all earlier and later times. */
export function zoneOffsetSeconds(zone: string, moment: string, quote: (text: string) => string): string {
  const transitions = transitionsOf(zone);
  if (transitions.length === 1) return String(transitions[0]?.seconds ?? 0);
  const blocks: string[] = [];
  for (let start = 0; start < transitions.length; start += blockSize) {
    const branches = transitions.slice(start, start + blockSize).map(({ seconds }, index) => {
      const next = transitions[start + index + 1];
      return `${isBefore(moment, next, quote)} THEN ${seconds}`;
    });
    const next = transitions[start + blockSize];
    blocks.push(`${isBefore(moment, next, quote)} THEN CASE ${branches.join(" ")} END`);
  }
  return `(CASE ${blocks.join(" ")} END)`;
}

function isBefore(moment: string, next: Transition | undefined, quote: (text: string) => string): string {
  if (!next) return `WHEN ${moment} IS NOT NULL`;
  return `WHEN ${moment} < ${quote(new Date(next.at).toISOString().slice(0, 19).replace("T", " "))}`;
}

function transitionsOf(zone: string): readonly Transition[] {
  const known = cache.get(zone);
  if (known) return known;
  const offsetAt = offsetReader(zone);
  const transitions: Transition[] = [{ at: Number.NEGATIVE_INFINITY, seconds: offsetAt(first) }];
  for (let at = first; at < last; at += 7 * day) {
    const [before, after] = [transitions.at(-1)?.seconds, offsetAt(at + 7 * day)];
    if (before !== after) transitions.push({ at: changeWithin(at, at + 7 * day, offsetAt), seconds: after });
  }
  cache.set(zone, transitions);
  return transitions;
}

/** Returns the first second, in milliseconds, from which the offset is the same as at the end. */
function changeWithin(start: number, end: number, offsetAt: (at: number) => number): number {
  const after = offsetAt(end);
  let [low, high] = [start / 1000, end / 1000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * 1000) === after) high = middle;
    else low = middle;
  }
  return high * 1000;
}

function offsetReader(zone: string): (at: number) => number {
  const format = zoneFormat(zone);
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day: date = 1, hour = 0, minute = 0, second = 0 } = parts;
    return (Date.UTC(year, month - 1, date, hour, minute, second) - at) / 1000;
  };
}

function zoneFormat(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    return refuseMetric("invalid_value", `"${zone}" is not a time zone. Write one such as "Europe/Berlin".`);
  }
}

/** Refuses a string that is not a time zone. Also refuses offsets such as `+02:00`, because engines interpret their sign differently. */
export function checkZone(zone: string): void {
  if (!/^[A-Za-z][\w+/-]*$/.test(zone))
    refuseMetric("invalid_value", `"${zone}" is not a time zone. Write one such as "Europe/Berlin".`);
  zoneFormat(zone);
}
