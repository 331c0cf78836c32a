/** Whether a string such as `2024-02-29` is a day of the calendar. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Whether a string such as `2024-02-29 12:30:00` is a time on a day of the calendar. */
export function isClockTime(text: string): boolean {
  const [date = "", time = ""] = text.split(" ");
  return isCalendarDate(date) && /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/.test(time);
}

/** Returns the next day, such as `2024-02-29` for `2024-02-28`. */
export function nextDay(date: string): string {
  const next = new Date(`${date}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}
