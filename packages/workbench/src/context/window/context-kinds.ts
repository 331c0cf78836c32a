import type { ApiContext } from "@bridle/client";
import { counted, showHidden } from "@bridle/protocol/text";

export type ContextPart = ApiContext["parts"][number];
export type PartKind = ContextPart["kind"];

const kindTitles: Readonly<Record<PartKind, string>> = {
  instructions: "Instructions",
  tool: "Tools",
  schema: "Schema",
  prompt: "Prompts",
  answer: "Answers",
  call: "Calls",
  result: "Results",
  image: "Images",
  file: "Files",
};

/** A part with its index in the server's list. The index identifies the part in the URL. */
export interface PlacedPart extends ContextPart {
  readonly index: number;
  /** The share of the window in thousandths, computed from characters, because tokens are only estimated from them. */
  readonly share: number;
}

export interface PartGroup {
  readonly kind: PartKind;
  readonly title: string;
  readonly tokens: number;
  readonly characters: number;
  /** The share of the window in thousandths: the sum of its parts. */
  readonly share: number;
  /** The parts, the largest first. */
  readonly parts: readonly PlacedPart[];
}

/** Groups the parts by kind, the largest kind first. All shares add up to 1000, unless the window is empty. */
export function groupByKind(parts: readonly ContextPart[]): readonly PartGroup[] {
  const placed = parts.map((part, index) => ({ ...part, index }));
  const kinds = [...Map.groupBy(placed, ({ kind }) => kind)]
    .map(([kind, own]) => ({ kind, own, characters: charactersOf(own) }))
    .toSorted((a, b) => b.characters - a.characters);
  const shares = apportion(
    kinds.map(({ characters }) => characters),
    1000,
  );
  return kinds.map(({ kind, own, characters }, place) => {
    const sorted = own.toSorted((a, b) => b.characters - a.characters || a.index - b.index);
    const share = shares[place] ?? 0;
    const ofParts = apportion(
      sorted.map((part) => part.characters),
      share,
    );
    return {
      kind,
      title: kindTitles[kind],
      tokens: own.reduce((sum, { tokens }) => sum + tokens, 0),
      characters,
      share,
      parts: sorted.map((part, index) => ({ ...part, share: ofParts[index] ?? 0 })),
    };
  });
}

export function charactersOf(parts: readonly Pick<ContextPart, "characters">[]): number {
  return parts.reduce((sum, { characters }) => sum + characters, 0);
}

/**
 * Rounds to whole numbers in proportion to the weights, with exactly this sum. The numbers that rounding down changes most are rounded up.
 */
function apportion(weights: readonly number[], sum: number): readonly number[] {
  const all = weights.reduce((total, weight) => total + weight, 0);
  if (all === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => (weight / all) * sum);
  const whole = exact.map((each) => Math.floor(each));
  const left = sum - whole.reduce((total, each) => total + each, 0);
  const lost = (index: number) => (exact[index] ?? 0) - (whole[index] ?? 0);
  const gaining = new Set([...whole.keys()].toSorted((a, b) => lost(b) - lost(a) || a - b).slice(0, left));
  return whole.map((each, index) => (gaining.has(index) ? each + 1 : each));
}

/** Formats a share: `12.5%`. An existing part is never shown as 0%, and one of several parts is never shown as 100%. */
export function formatWindowShare(
  part: { readonly share: number; readonly characters: number },
  total: number,
): string {
  if (part.share === 0 && part.characters > 0) return "under 0.1%";
  if (part.share === 1000 && part.characters < total) return "over 99.9%";
  return `${part.share / 10}%`;
}

/** A box of the map: one part, or all small parts of a kind together. */
export interface MapEntry {
  /** The part; missing if the box contains several. */
  readonly part?: PlacedPart;
  readonly label: string;
  readonly tokens: number;
  readonly characters: number;
  /** The share of the window in thousandths. */
  readonly share: number;
}

/** Parts below this share of the window are merged into one box, because they would be too small to click. */
const minShare = 0.004;
const maxEntries = 40;

/** Returns the boxes of a kind in a window with `total` characters. The box of the small parts is the last one. */
export function mapEntries({ parts, title }: PartGroup, total: number): readonly MapEntry[] {
  const shown = parts.slice(0, maxEntries).filter(({ characters }) => characters >= total * minShare && characters > 0);
  const rest = parts.slice(shown.length);
  const entries: MapEntry[] = shown.map((part) => {
    const { tokens, characters, share } = part;
    return { part, label: labelOf(part), tokens, characters, share };
  });
  const characters = charactersOf(rest);
  if (characters === 0) return entries;
  const small = {
    label: counted(rest.length, `small part of ${title}`, `small parts of ${title}`),
    tokens: rest.reduce((sum, part) => sum + part.tokens, 0),
    characters,
    share: rest.reduce((sum, part) => sum + part.share, 0),
  };
  return [...entries, small];
}

const nouns: Readonly<Record<PartKind, string>> = {
  instructions: "instructions",
  tool: "tool",
  schema: "schema of the answer",
  prompt: "prompt",
  answer: "answer",
  call: "call",
  result: "result",
  image: "image",
  file: "file",
};

/** Names a part: `lookup`, or `prompt, message 3`. */
export function labelOf({ kind, name, message }: ContextPart): string {
  const place = message === null ? "" : `message ${message + 1}`;
  return [name === null ? nouns[kind] : showHidden(name, ""), place].filter(Boolean).join(", ");
}
