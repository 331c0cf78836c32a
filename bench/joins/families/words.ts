import type { Random } from "../../scan/random.ts";

/** How the identifiers of a schema are written. */
export type NameStyle = "snake" | "camel" | "pascal" | "joined";
const styles: readonly NameStyle[] = ["snake", "snake", "snake", "camel", "pascal", "joined"];

const nouns =
  "brewery barrel recipe malt harvest orchard grower market stall ferry captain voyage cargo museum exhibit curator loan gallery theatre performance actor costume ticket studio lesson instructor pupil recital concert choir voucher garage mechanic repair spare vehicle tyre bakery oven loaf delivery courier parcel depot clinic ward nurse shift dose vaccine kennel breed owner walk trainer stable horse race jockey meadow farm tractor silo crop auction bid lot seller archive volume author editor imprint shelf reader fine planet probe sensor reading mission crew module telescope river gauge flood bridge toll lane permit survey quarry mine shaft ore smelter alloy foundry casting mould glacier station hut guide trek lodge chef menu dish ingredient supplier invoice ledger posting account branch teller vault safe policy claim insured broker premium treaty".split(
    " ",
  );
export const roles = "first last home away billing shipping origin target main previous sender receiver".split(" ");
export const lookups = "type status kind category format level reason grade".split(" ");
const labels = "label title note remark description caption motto comment".split(" ");
const measures = "amount weight height price rate quantity width duration balance area score length".split(" ");
const counters = "position rank age capacity floor_no day month points minutes copies stock size votes".split(" ");
const flags = "active archived verified visible locked final".split(" ");
const days = "created_on changed_on opened_on closed_on signed_on paid_on".split(" ");

/** The words of a generated schema, and the style of its names. */
export class Words {
  readonly random: Random;
  readonly style: NameStyle;
  readonly plural: boolean;
  readonly #nouns: string[];

  constructor(random: Random, style?: NameStyle) {
    this.random = random;
    this.style = style ?? this.pick(styles);
    this.plural = random.next() < 0.4;
    this.#nouns = shuffle(nouns, random);
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.random.next() * list.length)];
    if (picked === undefined) throw new Error("Nothing to pick from.");
    return picked;
  }

  /** Returns a noun for a table of the schema, a new one each time. */
  noun(): string {
    const noun = this.#nouns.pop();
    if (noun === undefined) throw new Error("There are no nouns left.");
    return noun;
  }

  between(min: number, greatest: number): number {
    return min + Math.floor(this.random.next() * (greatest - min + 1));
  }

  chance(share: number): boolean {
    return this.random.next() < share;
  }

  /** Returns an identifier made of these words. */
  name(...words: readonly string[]): string {
    const parts = words.flatMap((word) => word.split("_"));
    const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);
    if (this.style === "snake") return parts.join("_");
    if (this.style === "joined") return parts.join("");
    return parts.map((word, at) => (at === 0 && this.style === "camel" ? word : capital(word))).join("");
  }

  table(...words: readonly string[]): string {
    const last = words.at(-1) ?? "";
    return this.name(...words.slice(0, -1), this.plural ? pluralOf(last) : last);
  }

  label(): string {
    return this.pick(labels);
  }
  measure(): string {
    return this.pick(measures);
  }
  counter(): string {
    return this.pick(counters);
  }
  flag(): string {
    return this.pick(flags);
  }
  day(): string {
    return this.pick(days);
  }

  /** Returns a meaningless word. */
  text(): string {
    let text = "";
    const length = this.between(2, 4);
    for (let at = 0; at < length; at++) text += this.pick([..."bdfgklmnprstvz"]) + this.pick([..."aeiou"]);
    return text.slice(0, 1).toUpperCase() + text.slice(1);
  }

  date(from = 2015, to = 2024): string {
    const two = (number: number) => String(number).padStart(2, "0");
    return `${this.between(from, to)}-${two(this.between(1, 12))}-${two(this.between(1, 28))}`;
  }

  uuid(): string {
    const hex = (length: number) => Array.from({ length }, () => this.pick([..."0123456789abcdef"])).join("");
    return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
  }
}

function pluralOf(word: string): string {
  return /(s|x|ch|sh)$/.test(word) ? `${word}es` : word.endsWith("y") ? `${word.slice(0, -1)}ies` : `${word}s`;
}

function shuffle(list: readonly string[], random: Random): string[] {
  return list
    .map((word) => ({ word, draw: random.next() }))
    .sort((a, b) => a.draw - b.draw)
    .map(({ word }) => word);
}
