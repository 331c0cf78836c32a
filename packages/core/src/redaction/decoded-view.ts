/** Decodes escapes in a text and remembers the position of every character. */

/** A decoded form of a text. */
export interface View {
  readonly text: string;
  /** The position in the original text of each character, and of the end. Missing if the text is the original. */
  readonly positions?: Int32Array;
}

/** JSON within JSON within a URL is three layers; more are not searched. */
const maxLayers = 4;

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
 * The text itself, and the text with its escapes decoded, layer by layer: of JSON and other languages (`\n`, `\u003d`,
 * `\xe4`, `\303`), of addresses (`%3D`), and of HTML (`&quot;`, `&#39;`). Takes time in proportion to the text.
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

/** The view without line breaks and the blanks around them, for texts that were wrapped. Undefined if it has none. */
export function unwrapView(view: View): View | undefined {
  if (!/[\r\n]/.test(view.text)) return undefined;
  return rewriteView(view, /[ \t]*[\r\n][ \t\r\n]*/g, () => []);
}

/** The position of a character of a view in the original text. */
export function positionIn({ positions }: View, index: number): number {
  return positions?.[index] ?? index;
}

function decodeView(view: View): View | undefined {
  if (!/[\\%&]/.test(view.text)) return undefined;
  return rewriteView(view, escapes, ([whole, ...rest]) => {
    const groups = rest.at(-1);
    return typeof groups === "object" && groups !== null ? decodeMatch(whole, groups) : [];
  });
}

/** A character, and how many characters of the match it takes. */
type Decoded = readonly (readonly [text: string, length: number])[];

function rewriteView(
  view: View,
  pattern: RegExp,
  decode: (match: readonly [string, ...unknown[]]) => Decoded,
): View | undefined {
  const parts: string[] = [];
  const positions = new Int32Array(view.text.length + 1);
  let length = 0;
  let copied = 0;
  const add = (at: number) => {
    positions[length] = positionIn(view, at);
    length += 1;
  };
  const copyTo = (end: number) => {
    parts.push(view.text.slice(copied, end));
    for (let at = copied; at < end; at += 1) add(at);
  };
  pattern.lastIndex = 0;
  for (let match = pattern.exec(view.text); match !== null; match = pattern.exec(view.text)) {
    copyTo(match.index);
    let at = match.index;
    for (const [text, taken] of decode([match[0], match.groups])) {
      parts.push(text);
      for (let unit = 0; unit < text.length; unit += 1) add(at);
      at += taken;
    }
    copied = pattern.lastIndex;
  }
  if (copied === 0) return undefined;
  copyTo(view.text.length);
  positions[length] = positionIn(view, view.text.length);
  return { text: parts.join(""), positions: positions.subarray(0, length + 1) };
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

/** Escaped bytes are UTF-8; what is not is Latin-1, as Python writes it. */
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
