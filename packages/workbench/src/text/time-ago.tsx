import { useSyncExternalStore } from "react";
import { describeAge, formatMoment } from "./describe-age.ts";

const minuteMs = 60_000;
const listeners = new Set<() => void>();
let minute = Math.floor(Date.now() / minuteMs);
setInterval(() => {
  minute = Math.floor(Date.now() / minuteMs);
  for (const listener of listeners) listener();
}, minuteMs / 2);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A time, shown as its distance from now, with the exact time on hover. */
export function TimeAgo({ at }: { at: string | number }) {
  useSyncExternalStore(subscribe, () => minute);
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={formatMoment(date)}>
      {describeAge(date.getTime(), Date.now())}
    </time>
  );
}
