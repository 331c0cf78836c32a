/** Groups the claims of a topic into items, in page order. Pure. */

import { normalForm } from "../claims/wording/read-wording.ts";
import { statementKinds } from "../sources/candidate.ts";
import { claimText, type StatementClaim, sizeOfText } from "./claim-text.ts";
import { escapeHeading, escapeMarkdown } from "./markdown-text.ts";
import type { PageItem, PageText } from "./page-content.ts";

/** The maximum size of an item, so that it fits on a page. */
const maxItemChars = 2800;

/** All items about one subject. */
export interface SubjectItems {
  /** The normal form of the subject. */
  readonly key: string;
  readonly title: string;
  readonly items: readonly PageItem[];
  /** The size of the items and of the heading. */
  readonly size: number;
  readonly headingSize: number;
}

/** Groups the claims of one topic by subject, in alphabetical order. `all` contains the statements of all pages by id. */
export function itemsOfTopic(
  claims: readonly StatementClaim[],
  all: ReadonlyMap<string, StatementClaim>,
): readonly SubjectItems[] {
  const groups = new DisputedGroups(claims, all);
  const subjects = Map.groupBy(claims, ({ body }) => normalForm(body.subject) || "facts");
  return [...subjects]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, own]) => {
      const title = own.map(({ body }) => body.subject).sort()[0] ?? key;
      const sorted = own.toSorted(byCategory);
      const facts = sorted
        .filter(({ status }) => status === "current")
        .map((claim) => toItem("facts", title, [claimText(claim)]));
      const disputed = sorted.flatMap((claim) => groups.take(claim).map((texts) => toItem("disputed", title, texts)));
      const earlier = sorted
        .filter(({ status }) => status === "superseded")
        .map((claim) => toItem("earlier", title, [claimText(claim, untilOf(claim))]));
      const items = [...facts, ...disputed, ...earlier];
      const headingSize = escapeHeading(title).length + 8;
      return { key, title, items, size: items.reduce((sum, { size }) => sum + size, headingSize), headingSize };
    });
}

function toItem(section: PageItem["section"], subject: string, blocks: readonly PageText[]): PageItem {
  return { section, subject, blocks, size: blocks.reduce((sum, block) => sum + sizeOfText(block) + 2, 0) };
}

function untilOf({ until }: StatementClaim): string {
  return until === undefined ? "" : `Until ${until}: `;
}

function byCategory(a: StatementClaim, b: StatementClaim): number {
  const order = statementKinds.indexOf(a.body.category) - statementKinds.indexOf(b.body.category);
  const [ours, theirs] = [`${normalForm(a.body.statement)} ${a.id}`, `${normalForm(b.body.statement)} ${b.id}`];
  return order || (ours < theirs ? -1 : 1);
}

/** Groups claims that contest each other, including claims on other pages. */
class DisputedGroups {
  readonly #all: ReadonlyMap<string, StatementClaim>;
  readonly #firstOf = new Map<string, string>();

  constructor(claims: readonly StatementClaim[], all: ReadonlyMap<string, StatementClaim>) {
    this.#all = all;
    for (const { id } of claims.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      for (const member of this.#groupOf(id)) if (!this.#firstOf.has(member)) this.#firstOf.set(member, id);
    }
  }

  /** If the claim is the first of its topic in its group, returns the texts of the group, split into items by length. */
  take({ id, body }: StatementClaim): readonly (readonly PageText[])[] {
    if (this.#firstOf.get(id) !== id) return [];
    const members = this.#groupOf(id).flatMap((member) => this.#all.get(member) ?? []);
    const intro: PageText = {
      key: `disputed ${id}`,
      parts: [
        {
          text: `Sources disagree about ${escapeMarkdown(`x ${body.subject}`).slice(2)}, and nothing decides between them:`,
          sources: [],
        },
      ],
      claims: [],
    };
    const lists: PageText[][] = [[intro]];
    let size = sizeOfText(intro);
    for (const text of members.map((member) => claimText(member))) {
      size += sizeOfText(text) + 2;
      const last = lists.at(-1);
      if (last === undefined || size > maxItemChars) {
        lists.push([text]);
        size = sizeOfText(text);
      } else last.push(text);
    }
    return lists;
  }

  /** Returns the sorted ids of all contested claims connected to a claim; empty if the claim is not contested. */
  #groupOf(id: string): readonly string[] {
    if (this.#all.get(id)?.status !== "contested") return [];
    const found = new Set([id]);
    for (const member of found) {
      for (const other of this.#all.get(member)?.conflicts ?? [])
        if (this.#all.get(other)?.status === "contested") found.add(other);
    }
    return [...found].sort();
  }
}
