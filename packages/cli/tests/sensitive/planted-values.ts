/** Sensitive values that occur nowhere else, the same in each test run. */

/** Random numbers by Mulberry32. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  letters(count: number): string {
    return Array.from({ length: count }, () => "bcdfghjklmnpqrstvwxz"[this.below(20)]).join("");
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => this.below(10)).join("");
  }
}

/** Generators for values of each kind. */
export const shapes = {
  email: (random: Random) => `${random.letters(10)}@${random.letters(9)}.${random.letters(4)}`,
  phone: (random: Random) => `+49 ${1 + random.below(9)}${random.digits(2)} ${random.digits(8)}`,
  iban: (random: Random) => toIban(`1${random.digits(17)}`),
  card: (random: Random) => withLuhnDigit(`4${random.digits(14)}`),
  printed_card: (random: Random) => withLuhnDigit(`51${random.digits(13)}`).replaceAll(/(?<=^(?:.{4})+)(?=.)/g, " "),
  token: (random: Random) => `ghp_${Array.from({ length: 9 }, () => random.letters(3) + random.below(10)).join("")}`,
  national_id: (random: Random) => `${200 + random.below(400)}-${50 + random.below(49)}-${1000 + random.below(9000)}`,
  ip_address: (random: Random) => `198.51.${100 + random.below(100)}.${100 + random.below(100)}`,
  password: (random: Random) => `$2b$12$${Array.from({ length: 53 }, () => random.letters(1)).join("")}`,
  person: (random: Random) => `${capital(random.letters(7))} ${capital(random.letters(9))}`,
  address: (random: Random) => `${capital(random.letters(9))}weg ${random.digits(3)}`,
} as const;

export type Shape = keyof typeof shapes;
export const shapeNames = Object.keys(shapes) as Shape[];

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function toIban(account: string): string {
  const remainder = [...`${account}131400`].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0);
  return `DE${String(98 - remainder).padStart(2, "0")}${account}`;
}

function withLuhnDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** The minimum length of a part. */
const shortest = 8;
const beginningBits = 24;

/**
 * Updates a number that represents the last eight characters of a string: four bits for each, so that earlier characters are shifted out.
 */
const withCharacter = (last: number, code: number) => (last << (32 / shortest)) ^ code;
const bitOf = (last: number) => Math.imul(last, 0x9e3779b1) >>> (32 - beginningBits);

/** The origin of a part of a planted value. */
interface Part {
  readonly place: string;
  /** The whole value, if the part may be mistaken for the beginning or end of a digest and a separator. */
  readonly value?: string;
}

/** Remembers planted values and finds them in a string, including parts of them and other spellings. */
export class PlantedValues {
  /** Each part of eight characters, or of twelve if it is hexadecimal, in lower case. */
  readonly #parts = new Map<string, Part>();
  readonly #lengths = new Set<number>();
  /** A bit for the beginning of each part, because looking up every piece of every string would take a minute. */
  readonly #beginnings = new Uint8Array(2 ** beginningBits / 8);
  count = 0;

  add(value: string, place: string): string {
    this.count += 1;
    const compact = value.replaceAll(/[\s-]/g, "");
    for (const spelling of new Set([value, compact])) this.#addParts(spelling.toLowerCase(), place);
    for (const bytes of [Buffer.from(value), Buffer.from(compact)]) {
      this.#addPart(bytes.toString("hex").slice(0, 20), { place: `${place} as hex` });
      this.#addPart(bytes.toString("base64").slice(0, 12).toLowerCase(), { place: `${place} as base64` });
    }
    return value;
  }

  /** Adds the parts of a value. Hexadecimal digits also occur by chance in digests, so their parts are longer. */
  #addParts(value: string, place: string): void {
    for (const length of [8, 12]) {
      for (let start = 0; start + length <= value.length; start++) {
        const part = value.slice(start, start + length);
        if (length === 12 || !/^[\da-f]+$/.test(part))
          this.#addPart(part, isLikeDigest(part) ? { place, value } : { place });
      }
    }
  }

  #addPart(part: string, known: Part): void {
    this.#parts.set(part, known);
    this.#lengths.add(part.length);
    const bit = bitOf(Array.from({ length: shortest }, (_, at) => part.charCodeAt(at)).reduce(withCharacter, 0));
    this.#beginnings[bit >>> 3] = (this.#beginnings[bit >>> 3] ?? 0) | (1 << (bit & 7));
  }

  /** Finds where parts may begin in a string. */
  *#startsIn(text: string): Iterable<number> {
    let last = 0;
    for (let end = 0; end < text.length; end++) {
      last = withCharacter(last, text.charCodeAt(end));
      const bit = bitOf(last);
      if (end + 1 >= shortest && ((this.#beginnings[bit >>> 3] ?? 0) >>> (bit & 7)) & 1) yield end + 1 - shortest;
    }
  }

  /** Returns the places of all planted values that a text contains, each with the matching part. */
  findIn(text: string): readonly string[] {
    const lower = text.toLowerCase();
    const found = new Map<string, string>();
    for (const start of this.#startsIn(lower)) {
      for (const length of this.#lengths) {
        const part = lower.slice(start, start + length);
        const known = this.#parts.get(part);
        if (known === undefined || found.has(known.place) || isOfDigest(lower, start, part, known)) continue;
        found.set(known.place, part);
      }
    }
    return Array.from(found, ([place, part]) => `${place}: ${part}`);
  }
}

/** Whether a part is a separator and hexadecimal digits, such as the end of a phone number: ` 2473691`. */
function isLikeDigest(part: string): boolean {
  return /^[^\da-z]*[\da-f]+[^\da-z]*$/.test(part);
}

/** Whether a part belongs to a digest. Digests differ in each run, and some begin or end like a value, but continue with other digits. */
function isOfDigest(text: string, start: number, part: string, { value }: Part): boolean {
  if (value === undefined) return false;
  const [before] = /[\da-f]*$/.exec(text.slice(Math.max(0, start - 64), start)) ?? [""];
  const [after] = /^[\da-f]*/.exec(text.slice(start + part.length, start + part.length + 64)) ?? [""];
  const surrounded = `${/^[\da-f]/.test(part) ? before : ""}${part}${/[\da-f]$/.test(part) ? after : ""}`;
  return !value.includes(surrounded);
}
