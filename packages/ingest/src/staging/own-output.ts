/** Recognizes Bridle's own output, which is not a source, because a claim would support itself. */
import { parse } from "yaml";
import { z } from "zod";
import type { SourceItem } from "../sources/source.ts";

const pageHead = z.object({ sources: z.array(z.object({ source: z.string(), item: z.string() })).min(1) });

/** Whether an item is a file in `context/`, or a page that was rendered from claims and then copied elsewhere. */
export function isOwnOutput({ location = "", text }: Pick<SourceItem, "location" | "text">): boolean {
  if (/(?:^|\/)context\/(?:wiki|models|tables)\//.test(location)) return true;
  const [, head] = /^\ufeff?---\r?\n([\s\S]{1,20000}?)\r?\n---(?:\r?\n|$)/.exec(text) ?? [];
  if (head === undefined || !/^sources:/m.test(head)) return false;
  try {
    return pageHead.safeParse(parse(head)).success;
  } catch {
    return false;
  }
}
