/** Maps pages to files. Files may be renamed, because a page's front matter names its topic. Pure. */
import { toSlug, type WikiPage } from "@bridle/context";
import type { TopicPage } from "../curation/assign-pages.ts";
import type { WrittenRecord } from "./written-record.ts";

export interface PagePlaces {
  /** The pages of whole topics, for assigning topics to them. */
  readonly topics: readonly TopicPage[];
  /** The file names by page key. */
  readonly names: ReadonlyMap<string, string>;
  /** Pages with the same key as another page. */
  readonly copies: readonly { readonly file: string; readonly key: string; readonly of: string }[];
}

/** Separates a topic from the subject that begins a part of the topic. */
const partBorder = " / ";

export function findPagePlaces(pages: readonly WikiPage[], written: WrittenRecord): PagePlaces {
  const names = new Map<string, string>();
  const copies: PagePlaces["copies"][number][] = [];
  const topics: TopicPage[] = [];
  for (const { page, key } of inOrder(pages.map((each) => ({ page: each, key: keyOf(each, written) })))) {
    const other = names.get(key);
    if (other !== undefined) copies.push({ file: page.file, key, of: other });
    else {
      names.set(key, page.slug);
      const own = page.front.topics ?? [];
      if (!key.includes(partBorder)) topics.push({ key, title: page.front.title ?? page.slug, topics: own });
    }
  }
  return { topics, names, copies };
}

/** Returns the key that ingest wrote the page for, if the page still has that key. If not, returns the page's first topic, or its name. */
function keyOf({ file, slug, front: { topics = [] } }: WikiPage, { files }: WrittenRecord): string {
  const known = files.get(file)?.get("topic");
  if (known !== undefined && (topics.length === 0 || topics.includes(known))) return known;
  const [first] = topics;
  if (first === undefined) return slug;
  return first.includes(partBorder) ? first : toSlug(first);
}

/** Sorts pages named after their key first, because other pages with that key are copies. */
function inOrder<T extends { readonly page: WikiPage; readonly key: string }>(pages: readonly T[]): readonly T[] {
  const isOwn = ({ page, key }: T) => (page.slug === key ? 0 : 1);
  return pages.toSorted((a, b) => isOwn(a) - isOwn(b) || (a.page.slug < b.page.slug ? -1 : 1));
}
