/** Divides a topic into pages of a readable length. Pure. */
import { sha256 } from "@bridle/core";
import type { PageItem } from "./page-content.ts";
import type { SubjectItems } from "./page-items.ts";

/** The maximum number of characters of a page's items with their headings. The rest of 4,000 characters is for links. */
const maxContentChars = 3100;
/** The maximum for the first of several pages, which is lower because the first page links to all others. */
const maxFirstChars = 2000;
const usualChars = 2000;

/** The items of one page. */
export interface TopicPart {
  /** The subject that begins the page; undefined for the first page. */
  readonly subject: { readonly key: string; readonly title: string; readonly number: number } | undefined;
  readonly items: readonly PageItem[];
}

/**
 * Keeps a short topic on one page. In a long topic, the hash of a subject decides whether it starts a page, so that a new subject changes
 * only its own page, unless that page becomes too long.
 */
export function splitTopic(subjects: readonly SubjectItems[]): readonly TopicPart[] {
  const total = subjects.reduce((sum, { size }) => sum + size, 0);
  if (total <= maxContentChars) return [{ subject: undefined, items: subjects.flatMap(({ items }) => items) }];
  const every = beginningsEvery(subjects.length, total);
  const parts = new PartList();
  for (const subject of subjects) parts.add(subject, isBeginning(subject.key, every));
  return parts.parts;
}

/** Returns the average number of subjects between two page starts: a power of two, so that a few additions do not change it. */
function beginningsEvery(subjects: number, total: number): number {
  const pages = Math.max(1, total / usualChars);
  return 2 ** Math.max(0, Math.round(Math.log2(subjects / pages)));
}

function isBeginning(key: string, every: number): boolean {
  return Number.parseInt(sha256(key).slice(0, 8), 16) % every === 0;
}

class PartList {
  readonly parts: { readonly subject: TopicPart["subject"]; readonly items: PageItem[] }[] = [
    { subject: undefined, items: [] },
  ];
  #size = 0;

  add({ key, title, items, size, headingSize }: SubjectItems, begins: boolean): void {
    const fits = this.#size + size <= this.#max();
    if (begins || !fits) this.#begin({ key, title, number: 1 });
    this.#size += headingSize;
    let number = 1;
    for (const item of items) {
      if (this.#size + item.size > this.#max() && !this.#isEmpty()) {
        number += 1;
        this.#begin({ key, title, number });
        this.#size += headingSize;
      }
      this.parts.at(-1)?.items.push(item);
      this.#size += item.size;
    }
  }

  #begin(subject: NonNullable<TopicPart["subject"]>): void {
    const last = this.parts.at(-1);
    if (last?.subject !== undefined && last.items.length === 0) this.parts.pop();
    this.parts.push({ subject, items: [] });
    this.#size = 0;
  }

  #max(): number {
    return this.parts.length === 1 ? maxFirstChars : maxContentChars;
  }

  #isEmpty(): boolean {
    return this.parts.length > 1 && this.parts.at(-1)?.items.length === 0;
  }
}
