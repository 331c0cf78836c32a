/** Reads front matter: the metadata of a Markdown file between lines of `---`. */
import { isPlainObject } from "@bridle/protocol";
import { parseDocument } from "yaml";

export interface PageFrontMatter {
  readonly title?: string | undefined;
  /** When the text was last changed, in ISO 8601. */
  readonly updatedAt?: string | undefined;
  /** The text of the file without the keys above. It contains all other front matter, which may be meaningful. */
  readonly text: string;
}

const dateKeys = [
  "last_edited",
  "last_edited_time",
  "lastEdited",
  "updated",
  "updated_at",
  "updatedAt",
  "last_updated",
  "lastmod",
  "last_modified",
  "modified",
  "date",
  "created",
  "published",
];
/** The maximum length of front matter. A longer block counts as text. */
const maxChars = 20_000;

export function readFrontMatter(whole: string): PageFrontMatter {
  const text = whole.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const found = splitFrontMatter(text);
  if (found === undefined) return { text };
  const values = parseKeys(found.front);
  if (values === undefined) return { text };
  const dateKey = dateKeys.find((key) => readDate(values[key]) !== undefined);
  const rest = withoutKeys(found.front, ["title", ...dateKeys]);
  const title = typeof values.title === "string" || typeof values.title === "number" ? String(values.title).trim() : "";
  return {
    ...(title === "" ? {} : { title }),
    ...(dateKey === undefined ? {} : { updatedAt: readDate(values[dateKey]) }),
    text: rest === "" ? found.body : `---\n${rest}\n---\n${found.body}`,
  };
}

/** Returns a date or time in ISO 8601; undefined for anything else, such as the ambiguous `03/04/2026`. */
export function readDate(value: unknown): string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value !== "string") return undefined;
  const [, day, time] = /^\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d.*))?\s*$/.exec(value) ?? [];
  if (day === undefined || Number.isNaN(Date.parse(day))) return undefined;
  if (time === undefined) return day;
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(time.trim()) ? time.trim() : `${time.trim()}Z`;
  const at = new Date(`${day}T${zoned.replace(" ", "")}`);
  return Number.isNaN(at.getTime()) ? day : at.toISOString();
}

function splitFrontMatter(text: string): { readonly front: string; readonly body: string } | undefined {
  if (!text.startsWith("---\n")) return undefined;
  const end = text.slice(0, maxChars).search(/\n(?:---|\.\.\.)[ \t]*(?:\n|$)/);
  if (end < 4) return undefined;
  const next = text.indexOf("\n", end + 1);
  return { front: text.slice(4, end), body: next === -1 ? "" : text.slice(next + 1).replace(/^\n+/, "") };
}

function parseKeys(front: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const document = parseDocument(front);
    if (document.errors.length > 0) return undefined;
    const value: unknown = document.toJS({ maxAliasCount: 20 });
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined; // an alias may expand without end
  }
}

/** Returns the lines of all other keys. A key includes the indented lines below it. */
function withoutKeys(front: string, keys: readonly string[]): string {
  let isKept = true;
  const lines = front.split("\n").filter((line) => {
    const [, key] = /^["']?([\w.-]+)["']?\s*:/.exec(line) ?? [];
    if (key !== undefined) isKept = !keys.includes(key);
    return isKept;
  });
  return lines.join("\n").trim();
}
