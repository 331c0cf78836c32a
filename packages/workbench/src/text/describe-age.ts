const minuteMs = 60_000;

/** Formats a time as `2026-11-22 07:17:47`, in the browser's time zone. */
export function formatMoment(date: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/**
 * Formats an age as `now`, `5 min ago`, `3 h ago`, `2 days ago`, or as the date after a week. Times are in milliseconds since the epoch.
 */
export function describeAge(at: number, now: number): string {
  const minutes = Math.floor((now - at) / minuteMs);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  if (days < 7) return days === 1 ? "yesterday" : `${days} days ago`;
  return formatMoment(new Date(at)).slice(0, 10);
}
