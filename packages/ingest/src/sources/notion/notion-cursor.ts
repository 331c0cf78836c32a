/** Records the last complete fetch, so that the next one reads only changes. */
import { z } from "zod";

const page = z.strictObject({
  /** The time of the last edit as reported by Notion, accurate to a minute. */
  edited: z.string(),
  /** The pages and databases in the page. */
  children: z.array(z.string()),
});
const cursorSchema = z.strictObject({ version: z.literal(1), at: z.iso.datetime(), pages: z.record(z.string(), page) });
export type NotionCursor = z.output<typeof cursorSchema>;

/** Reads a cursor; undefined for a cursor of another version, after which everything is read again. */
export function readCursor(cursor: string | undefined): NotionCursor | undefined {
  try {
    return cursorSchema.safeParse(JSON.parse(cursor ?? "null")).data;
  } catch {
    return undefined;
  }
}

/** The precision of Notion's times, which have no seconds, so that an edit in the minute of the last fetch may not be visible. */
const minuteMs = 60_000;

/** Whether a page is unchanged since the last complete fetch. */
export function isUnchanged(cursor: NotionCursor | undefined, id: string, edited: string): boolean {
  const known = cursor?.pages[id];
  if (cursor === undefined || known === undefined || known.edited !== edited) return false;
  return Date.parse(edited) + minuteMs < Date.parse(cursor.at);
}
