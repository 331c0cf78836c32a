/** How a cell displays a number. */
export interface NumberFormat {
  readonly hasDate?: boolean;
  readonly hasTime?: boolean;
  readonly isPercent?: boolean;
}

/** Built-in formats by id, which a workbook does not define. 27 to 36 and 50 to 58 are East Asian dates. */
const builtIn: readonly (readonly [from: number, to: number, format: NumberFormat])[] = [
  [9, 10, { isPercent: true }],
  [14, 17, { hasDate: true }],
  [18, 21, { hasTime: true }],
  [22, 22, { hasDate: true, hasTime: true }],
  [27, 36, { hasDate: true }],
  [45, 47, { hasTime: true }],
  [50, 58, { hasDate: true }],
];

export function builtInFormat(id: number): NumberFormat {
  return builtIn.find(([from, to]) => id >= from && id <= to)?.[2] ?? {};
}

/** Returns the format that a code such as `dd.mm.yyyy hh:mm` describes. */
export function parseNumberFormat(code: string): NumberFormat {
  const [positive = ""] = code.replaceAll(/"[^"]*"|\\.|[_*]./g, "").split(";");
  const letters = positive.replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, "");
  const hasTime = /[hs]/i.test(letters);
  const hasDate = /[yd]/i.test(letters) || (/m/i.test(letters) && !hasTime);
  return { hasDate, hasTime, isPercent: letters.includes("%") };
}

/** The number of days up to the year 9999. */
const maxDays = 2_958_466;

const secondsPerDay = 86_400;

/** Formats a number as a reader sees it: dates and times in ISO notation, shares in percent. */
export function formatNumber(
  raw: string,
  { hasDate, hasTime, isPercent }: NumberFormat,
  startsIn1904: boolean,
): string {
  const value = Number(raw);
  if (raw.trim() === "" || !Number.isFinite(value)) return raw;
  if ((hasDate || hasTime) && value >= 0 && value < maxDays) {
    const texts = [hasDate ? formatDate(value, startsIn1904) : "", hasTime ? formatTime(value, hasDate) : ""];
    return texts.filter((text) => text !== "").join(" ");
  }
  return isPercent ? `${rounded(value * 100)}%` : rounded(value);
}

/** Formats a date. Excel treats 1900 as a leap year, so days before March 1900 are shifted by one. */
function formatDate(value: number, startsIn1904: boolean): string {
  const seconds = Math.round(value * secondsPerDay);
  const start = startsIn1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, value < 60 ? 31 : 30);
  return new Date(start + seconds * 1000).toISOString().slice(0, 10);
}

/** Formats a time. With a date, the result is the time of day, or empty at midnight. Without a date, the hours are not limited to 24. */
function formatTime(value: number, hasDate = false): string {
  const seconds = Math.round((hasDate ? value % 1 : value) * secondsPerDay) % (hasDate ? secondsPerDay : Infinity);
  if (hasDate && seconds === 0) return "";
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return [hours, minutes, rest].map((part) => String(part).padStart(2, "0")).join(":");
}

/** Drops digits that exist only because of the binary representation of the number. */
function rounded(value: number): string {
  return String(Number(value.toPrecision(15)));
}
