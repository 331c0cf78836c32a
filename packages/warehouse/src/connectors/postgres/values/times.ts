/** Converts dates and times from PostgreSQL's ISO style to ISO 8601. `infinity` and `-infinity` stay unchanged. */

/** @example isoTimestamp("2024-01-31 12:00:00.5") // "2024-01-31T12:00:00.5" */
export function isoTimestamp(text: string): string {
  return isPlain(text) ? text.replace(" ", "T") : isoYear(text).replace(" ", "T");
}

/** Converts a timestamp with a zone. The session's time zone is UTC, so the offset is always `+00`. */
export function isoTimestamptz(text: string): string {
  return text.endsWith("infinity") ? text : isoTimestamp(text).replace(/\+00$/, "Z");
}

export function isoDate(text: string): string {
  return isPlain(text) ? text : isoYear(text);
}

function isPlain(text: string): boolean {
  return text.charCodeAt(4) === 45 && !text.endsWith("C"); // four digits and a hyphen, but not BC
}

/** Writes years before 1 and after 9999 as in ISO 8601: `44 BC` becomes `-0043`, 12000 becomes `+012000`. */
function isoYear(text: string): string {
  const [, year, rest = "", era] = /^(\d+)(-\d\d-\d\d.*?)( BC)?$/.exec(text) ?? [];
  if (year === undefined) return text;
  if (era === undefined) return year.length > 4 ? `+${year.padStart(6, "0")}${rest}` : text;
  const count = Number(year) - 1;
  return `${count === 0 ? "" : "-"}${String(count).padStart(4, "0")}${rest}`;
}
