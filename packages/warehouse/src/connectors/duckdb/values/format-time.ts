/** Formats dates and times as ISO 8601. DuckDB counts days, or parts of a second, from 1970-01-01 of the proleptic Gregorian calendar. */

/** DuckDB's infinite dates: the greatest number of days, and its negative. */
const infiniteDays = 2_147_483_647;

/** DuckDB's infinite timestamps, in any unit. */
const infiniteTime = 9_223_372_036_854_775_807n;

const secondsOfDay = 86_400;

/** Formats a date such as `2024-01-31`, `infinity` or `-infinity`. Years outside of 0 to 9999 get a sign and six digits, as in ISO 8601. */
export function formatDate(days: number): string {
  if (days === infiniteDays) return "infinity";
  if (days === -infiniteDays) return "-infinity";
  const { year, month, day } = civil(days);
  return `${formatYear(year)}-${pad(month)}-${pad(day)}`;
}

/**
 * Formats a timestamp such as `2024-01-31T12:00:00.5`. `digits` is the number of decimal digits of the counted part of a second: 6 for
 * microseconds.
 */
export function formatTimestamp(count: bigint, digits: number): string {
  if (count === infiniteTime) return "infinity";
  if (count === -infiniteTime) return "-infinity";
  const { seconds, fraction } = splitSeconds(count, digits);
  const days = Math.floor(seconds / secondsOfDay);
  return `${formatDate(days)}T${formatClock(seconds - days * secondsOfDay)}${formatFraction(fraction, digits)}`;
}

/** Formats a time such as `12:00:00.5`. The end of a day is `24:00:00`. */
export function formatTime(count: bigint, digits: number): string {
  const { seconds, fraction } = splitSeconds(count, digits);
  return formatClock(seconds) + formatFraction(fraction, digits);
}

/** Formats an offset such as `+02:00`. */
export function formatZoneOffset(seconds: number): string {
  const size = Math.abs(seconds);
  const rest = size % 60 === 0 ? "" : `:${pad(size % 60)}`;
  return `${seconds < 0 ? "-" : "+"}${pad(Math.floor(size / 3600))}:${pad(Math.floor(size / 60) % 60)}${rest}`;
}

function splitSeconds(count: bigint, digits: number): { seconds: number; fraction: number } {
  const unit = 10 ** digits;
  const small = Number(count);
  if (Number.isSafeInteger(small)) {
    const seconds = Math.floor(small / unit);
    return { seconds, fraction: small - seconds * unit };
  }
  const bigUnit = BigInt(unit);
  const fraction = ((count % bigUnit) + bigUnit) % bigUnit;
  return { seconds: Number((count - fraction) / bigUnit), fraction: Number(fraction) };
}

function formatClock(seconds: number): string {
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
}

function formatFraction(fraction: number, digits: number): string {
  return fraction === 0 ? "" : `.${String(fraction).padStart(digits, "0").replace(/0+$/, "")}`;
}

function formatYear(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, "0");
  return `${year < 0 ? "-" : "+"}${String(Math.abs(year)).padStart(6, "0")}`;
}

function pad(part: number): string {
  return part < 10 ? `0${part}` : String(part);
}

/** Turns a number of days into a date, by Howard Hinnant's algorithm with eras of 400 years that begin in March. */
function civil(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}
