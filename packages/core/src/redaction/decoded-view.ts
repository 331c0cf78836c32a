/** Decodes escapes in a text and keeps the original position of every character. */

/** A decoded form of a text. */
export interface View {
  readonly text: string;
  /** The position in the original text of each character, and of the end. Missing if the text is the original. */
  readonly positions?: Int32Array;
  /** The view before some characters were removed; `positions` refer to it. Missing if nothing was removed. */
  readonly complete?: View;
}

/** The maximum number of forms of a text that are searched: the text itself and three layers, such as JSON within JSON within a URL. */
export const maxLayers = 4;

const byte = String.raw`%[0-9a-f]{2}|\\x[0-9a-f]{2}|\\[0-3][0-7]{2}`;
const code = String.raw`\\u\{[0-9a-f]{1,6}\}|\\u[0-9a-f]{4}|%u[0-9a-f]{4}|\\U000[0-9a-f]{5}|&#\d{1,7};|&#x[0-9a-f]{1,6};`;
const escapes = new RegExp(
  String.raw`(?<bytes>(?:${byte})+)|(?<code>${code})|&(?<entity>amp|lt|gt|quot|apos|nbsp|plus|equals|sol);|\\(?<plain>[^\w]|[nrtbf])`,
  "gi",
);

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  plus: "+",
  equals: "=",
  sol: "/",
};
const letters: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/**
 * Lists the text itself, and the text with its escapes decoded, layer by layer: those of JSON and other languages (`\n`, `\u003d`, `\xe4`,
 * `\303`), of addresses (`%3D`), and of HTML (`&quot;`, `&#39;`). The time is proportional to the length of the text.
 */
export function listViews(text: string): View[] {
  const views: View[] = [{ text }];
  for (let last = views[0]; last !== undefined && views.length < maxLayers; last = views.at(-1)) {
    const next = decodeView(last);
    if (next === undefined) break;
    views.push(next);
  }
  return views;
}

/** Returns the view without line breaks and the blanks around them, for wrapped texts. Undefined if the view has no line breaks. */
export function unwrapView(view: View): View | undefined {
  if (!/[\r\n]/.test(view.text)) return undefined;
  const rewriting = new Rewriting({ text: view.text });
  for (const { 0: found, index } of view.text.matchAll(/[\r\n][ \t\r\n]*/g)) {
    let start = index;
    while (start > rewriting.read && /[ \t]/.test(view.text.charAt(start - 1))) start -= 1;
    rewriting.replace(start, index + found.length, []);
  }
  const unwrapped = rewriting.finish();
  return unwrapped && { ...unwrapped, complete: view };
}

/** Returns a text with its escapes decoded once. */
export function decodeEscapes(text: string): string {
  return decodeView({ text })?.text ?? text;
}

/**
 * Lists the decoded forms of a text that may continue, without the incomplete escapes at its end, in any layer. Empty if all escapes are
 * complete.
 */
export function listUnfinishedViews(text: string): View[] {
  const views: View[] = [];
  let isUnfinished = false;
  for (let last: View | undefined = { text }; last !== undefined && views.length < maxLayers; ) {
    const end = findEscapeEnd(last.text);
    if (end < last.text.length) isUnfinished = true;
    const complete: View = end < last.text.length ? cutView(last, end) : last;
    views.push(complete);
    // The rest may end with the beginning of another escape, such as the `%` of `%&#54;1`.
    last = decodeView(complete) ?? (complete === last ? undefined : complete);
  }
  return isUnfinished ? views : [];
}

function cutView({ text, positions }: View, end: number): View {
  return { text: text.slice(0, end), ...(positions && { positions: positions.subarray(0, end + 1) }) };
}

/** Returns the end of a text without an incomplete escape or an incomplete character in escaped bytes. */
export function findEscapeEnd(text: string): number {
  if (!/[\\%&]/.test(text)) return text.length;
  let end = 0;
  let bytes = "";
  escapes.lastIndex = 0;
  for (let match = escapes.exec(text); match !== null; match = escapes.exec(text)) {
    end = escapes.lastIndex;
    bytes = match.groups?.bytes ?? "";
  }
  const started = findUnfinishedEscape(text, end);
  return started === end ? end - lengthOfUnfinishedBytes(bytes) : started;
}

function findUnfinishedEscape(text: string, from: number): number {
  for (let at = Math.max(from, text.length - maxEscapeLength); at < text.length; at += 1) {
    unfinishedEscape.lastIndex = at;
    if (unfinishedEscape.test(text)) return at;
  }
  return text.length;
}

const maxEscapeLength = 12;
const unfinishedEscape =
  /(?:\\(?:u(?:\{[0-9a-f]{0,6}|[0-9a-f]{0,3})|U0{0,3}[0-9a-f]{0,4}|x[0-9a-f]?|[0-3][0-7]?)?|%(?:u[0-9a-f]{0,3}|[0-9a-f])?|&(?:#(?:\d{0,7}|x[0-9a-f]{0,6})|[a-z]{0,6}))$/iy;
const hexLead = String.raw`(?:%|\\x)`;
const hexNext = String.raw`(?:%|\\x)[89ab][0-9a-f]`;
const octalNext = String.raw`\\2[0-7]{2}`;
const next = `(?:${hexNext}|${octalNext})`;
/** Matches the first bytes of a UTF-8 character that has two, three or four bytes. */
const unfinishedBytes = new RegExp(
  String.raw`(?:${hexLead}[cd][0-9a-f]|\\3[0-3][0-7]|(?:${hexLead}e[0-9a-f]|\\34[0-7]|\\35[0-7])${next}?|(?:${hexLead}f[0-9a-f]|\\3[67][0-7])${next}{0,2})$`,
  "i",
);

function lengthOfUnfinishedBytes(bytes: string): number {
  return unfinishedBytes.exec(bytes.slice(-maxEscapeLength))?.[0].length ?? 0;
}

/** Returns the position of a view's character in the original text. */
export function positionIn({ positions, complete }: View, index: number): number {
  const position = positions?.[index] ?? index;
  return complete === undefined ? position : positionIn(complete, position);
}

/** Returns the end of a view's first `index` characters in the original text, without characters that were removed after them. */
export function endIn(view: View, index: number): number {
  const { positions, complete } = view;
  if (complete === undefined || index === 0) return positionIn(view, index);
  return positionIn(complete, (positions?.[index - 1] ?? index - 1) + 1);
}

function decodeView(view: View): View | undefined {
  if (!/[\\%&]/.test(view.text)) return undefined;
  const rewriting = new Rewriting(view);
  escapes.lastIndex = 0;
  for (let match = escapes.exec(view.text); match !== null; match = escapes.exec(view.text)) {
    rewriting.replace(match.index, escapes.lastIndex, decodeMatch(match[0], match.groups ?? {}));
  }
  return rewriting.finish();
}

/** Decoded characters, each with the number of original characters that it stands for. */
type Decoded = readonly (readonly [text: string, length: number])[];

/** Builds a view. Its text is never longer than that of the previous view. */
class Rewriting {
  readonly #view: View;
  readonly #positions: Int32Array;
  readonly #parts: string[] = [];
  #length = 0;
  /** How many characters have been copied or replaced. */
  read = 0;

  constructor(view: View) {
    this.#view = view;
    this.#positions = new Int32Array(view.text.length + 1);
  }

  /** Replaces a part that follows all parts so far. */
  replace(start: number, end: number, decoded: Decoded): void {
    this.#copyTo(start);
    let at = start;
    for (const [text, taken] of decoded) {
      this.#parts.push(text);
      for (let unit = 0; unit < text.length; unit += 1) this.#add(at);
      at += taken;
    }
    this.read = end;
  }

  /** Returns the finished view. Undefined if nothing was replaced. */
  finish(): View | undefined {
    if (this.read === 0) return undefined;
    this.#copyTo(this.#view.text.length);
    this.#positions[this.#length] = positionIn(this.#view, this.#view.text.length);
    return { text: this.#parts.join(""), positions: this.#positions.subarray(0, this.#length + 1) };
  }

  #copyTo(end: number): void {
    if (end === this.read) return;
    this.#parts.push(this.#view.text.slice(this.read, end));
    for (let at = this.read; at < end; at += 1) this.#add(at);
  }

  #add(at: number): void {
    this.#positions[this.#length] = positionIn(this.#view, at);
    this.#length += 1;
  }
}

function decodeMatch(whole: string, groups: object): Decoded {
  const { bytes, code, entity, plain } = groups as Partial<Record<string, string>>;
  if (bytes !== undefined) return decodeBytes(bytes);
  if (code !== undefined) return [[decodeCode(code), whole.length]];
  if (entity !== undefined) return [[entities[entity.toLowerCase()] ?? whole, whole.length]];
  const isLetter = /\w/.test(plain ?? "");
  return [[letters[plain ?? ""] ?? (isLetter ? whole : plain) ?? whole, whole.length]];
}

function decodeCode(code: string): string {
  const [, hex, decimal] = /^(?:\\u\{?|%u|\\U|&#x)([0-9a-f]+)|^&#(\d+)/i.exec(code) ?? [];
  const point = hex === undefined ? Number.parseInt(decimal ?? "", 10) : Number.parseInt(hex, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
}

/** Decodes escaped bytes as UTF-8. Invalid bytes are decoded as Latin-1, as Python writes them. */
function decodeBytes(escaped: string): Decoded {
  const found = (escaped.match(/%..|\\x..|\\.../g) ?? []).map((each) => ({
    value: each.startsWith("\\") && !/^\\x/i.test(each) ? Number.parseInt(each.slice(1), 8) : hexValue(each),
    length: each.length,
  }));
  const decoded: [string, number][] = [];
  for (let at = 0; at < found.length; ) {
    const { value = 0 } = found[at] ?? {};
    const size = value >= 0xf0 ? 4 : value >= 0xe0 ? 3 : value >= 0xc2 ? 2 : 1;
    const group = found.slice(at, at + size);
    const text = size === 1 ? undefined : decodeUtf8(group.map((each) => each.value));
    const taken = text === undefined ? group.slice(0, 1) : group;
    decoded.push([text ?? String.fromCharCode(value), taken.reduce((sum, each) => sum + each.length, 0)]);
    at += taken.length;
  }
  return decoded;
}

function hexValue(escaped: string): number {
  return Number.parseInt(escaped.slice(-2), 16);
}

function decodeUtf8(bytes: readonly number[]): string | undefined {
  const text = Buffer.from(bytes).toString("utf8");
  return text.includes("\ufffd") || [...text].length !== 1 ? undefined : text;
}
