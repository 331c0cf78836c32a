import { type Features, numberOf } from "../features.ts";
import type { ColumnFacts, TableOfSchema } from "../schema-facts.ts";
import type { LinkCandidate, LinkList } from "./link-list.ts";
import type { LinkNames } from "./link-names.ts";

/** How the name of a column may indicate its target. */
type Pattern = "equal" | "table" | "role" | "context" | "column" | "strange";
const patterns: readonly Pattern[] = ["equal", "table", "role", "context", "column", "strange"];

/** The minimum score at which a link counts as a precedent. */
const minScore = 0.05;

/** The minimum score at which a link counts as the column's target. */
const likely = 0.5;

interface ProbableLink {
  readonly child: ColumnFacts;
  readonly parent: ColumnFacts;
  readonly score: number;
}

interface Namesakes {
  /** The number of columns with this name that may link. */
  columns: number;
  /** The number of those columns that link, and their targets, as sums of probabilities. */
  links: number;
  readonly to: Map<ColumnFacts, number>;
}

/** The common traits of a schema's probable links: the names of their columns, and the targets of columns with the same name. */
export class Conventions {
  readonly #byName = new Map<string, Namesakes>();
  readonly #children = new Map<Pattern, number>(patterns.map((pattern) => [pattern, 1]));
  readonly #links = new Map<Pattern, number>(patterns.map((pattern) => [pattern, 0.5]));
  readonly #best = new Map<ColumnFacts, number>();
  readonly #targets = new Map<ColumnFacts, ColumnFacts>();
  /** The probable links of a table, by the table that they lead to. */
  readonly #between = new Map<TableOfSchema, Map<TableOfSchema, ProbableLink[]>>();

  /** Whether column names are informative. If not, equal names are ignored. */
  readonly #hasNames: boolean;

  constructor(links: LinkList, scores: (place: number) => number, hasNames: boolean) {
    this.#hasNames = hasNames;
    for (const places of links.children) {
      const found = new Map<Pattern, number>();
      const name = this.#nameOf(places.child);
      const own = this.#byName.get(name) ?? { columns: 0, links: 0, to: new Map<ColumnFacts, number>() };
      let best = 0;
      for (let place = places.from; place < places.to; place++) {
        const score = scores(place);
        const pattern = patternOf(links.at(places, place).names);
        found.set(pattern, Math.max(found.get(pattern) ?? 0, score));
        if (score > Math.max(best, likely)) this.#targets.set(places.child, links.parentAt(place));
        best = Math.max(best, score);
        if (score < minScore) continue;
        const parent = links.parentAt(place);
        own.to.set(parent, (own.to.get(parent) ?? 0) + score);
        this.#remember({ child: places.child, parent, score });
      }
      own.columns++;
      own.links += best;
      this.#byName.set(name, own);
      this.#best.set(places.child, best);
      for (const [pattern, score] of found) {
        this.#children.set(pattern, (this.#children.get(pattern) ?? 0) + 1);
        this.#links.set(pattern, (this.#links.get(pattern) ?? 0) + score);
      }
    }
  }

  /** Returns the table that a column probably links to. */
  targetOf(column: ColumnFacts): TableOfSchema | undefined {
    return this.#targets.get(column)?.table;
  }

  #nameOf({ words, number }: ColumnFacts): string {
    return this.#hasNames ? words.join(" ") : String(number);
  }

  #remember(link: ProbableLink): void {
    const [from, to] = [link.child.table, link.parent.table];
    const own = this.#between.get(from) ?? new Map<TableOfSchema, ProbableLink[]>();
    const links = own.get(to) ?? [];
    links.push(link);
    this.#between.set(from, own.set(to, links));
  }

  /** Describes a candidate by the links of other columns. `score` is the candidate's score in the previous round. */
  describe({ child, parent, names }: LinkCandidate, score: number): Features {
    const pattern = patternOf(names);
    const own = this.#byName.get(this.#nameOf(child));
    const others = (own?.columns ?? 1) - 1;
    const share = (sum: number, part: number) => (others < 1 ? 0 : Math.max(0, sum - part) / others);
    const precedent = share(own?.to.get(parent) ?? 0, score < minScore ? 0 : score);
    const links = share(own?.links ?? 0, this.#best.get(child) ?? 0);
    const between = this.#between.get(child.table)?.get(parent.table) ?? [];
    const max = (isOther: (link: ProbableLink) => boolean) =>
      between.reduce((best, link) => (link.child !== child && isOther(link) ? Math.max(best, link.score) : best), 0);
    return {
      // A column next to a link to a table's key may repeat a name from that table.
      otherColumn: max((link) => link.parent !== parent),
      otherChild: max((link) => link.parent === parent),
      pattern: (this.#links.get(pattern) ?? 0) / (this.#children.get(pattern) ?? 1),
      precedent,
      precedentElse: Math.max(0, links - precedent),
      unprecedented: numberOf(others > 0) * (1 - links) * (Math.min(4, Math.log2(1 + Math.max(0, others))) / 4),
      alone: numberOf(others < 1),
    };
  }
}

function patternOf({ equal, child, table, parent, context, score }: LinkNames): Pattern {
  if (score < 0.15) return "strange";
  if (equal) return "equal";
  if (table > 0.9) return child > 0.9 ? "table" : "role";
  if (context > 0.9) return "context";
  return parent > 0.9 ? "column" : "strange";
}
