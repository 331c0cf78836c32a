/** Finds related pages and metrics from the words in the claims of a page. Pure. */
import type { Claim } from "../claims/claim.ts";
import { readWording } from "../claims/wording/read-wording.ts";
import type { StatementClaim } from "./claim-text.ts";

export interface PageTitle {
  readonly slug: string;
  readonly title: string;
}

/** The maximum number of links, because more would not help a reader. */
const maxLinks = 8;

/** Finds pages whose titles occur in claims. */
export class RelatedPages {
  readonly #byWord = new Map<string, { readonly slug: string; readonly stems: readonly string[] }[]>();

  constructor(titles: readonly PageTitle[]) {
    for (const { slug, title } of titles) {
      const stems = [...readWording(title, "").subject].sort();
      const [first] = stems;
      if (first !== undefined) this.#byWord.set(first, [...(this.#byWord.get(first) ?? []), { slug, stems }]);
    }
  }

  /** Returns the pages that the claims name most often, except the page itself. */
  of(claims: readonly StatementClaim[], own: string): readonly string[] {
    const counts = new Map<string, number>();
    for (const { body } of claims) {
      const { stems } = readWording(body.subject, body.statement);
      const named = Array.from(stems).flatMap((stem) => this.#byWord.get(stem) ?? []);
      for (const { slug, stems: title } of named)
        if (slug !== own && title.every((stem) => stems.has(stem))) counts.set(slug, (counts.get(slug) ?? 0) + 1);
    }
    const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    return sorted
      .slice(0, maxLinks)
      .map(([slug]) => slug)
      .sort();
  }
}

/** Finds measures and metrics that claims name: `gross fare` matches `trips.gross_fare`. */
export class MetricNames {
  readonly #byWords = new Map<string, string[]>();

  constructor(claims: readonly Claim[]) {
    for (const { body, status } of claims) {
      if (body.kind !== "model-part" || status !== "current" || !["measure", "metric"].includes(body.part)) continue;
      const key = keyOf(body.name.replaceAll("_", " "));
      this.#byWords.set(key, [...(this.#byWords.get(key) ?? []), `${body.model}.${body.name}`]);
    }
  }

  of(claims: readonly StatementClaim[]): string[] {
    if (this.#byWords.size === 0) return [];
    const names = claims.flatMap(({ body }) => {
      const { identifiers } = readWording(body.subject, body.statement);
      const written = Array.from(identifiers, (name) => (name.split(".").at(-1) ?? name).replaceAll("_", " "));
      return [body.subject, ...written].flatMap((text) => this.#byWords.get(keyOf(text)) ?? []);
    });
    return [...new Set(names)].sort();
  }
}

function keyOf(text: string): string {
  return [...readWording(text, "").subject].sort().join(" ");
}
