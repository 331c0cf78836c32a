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

/** A part with its place in the list of the server, which names it in the address. */
export interface PlacedPart extends ContextPart {
  readonly index: number;
}

export interface PartGroup {
  readonly kind: PartKind;
  readonly title: string;
  readonly tokens: number;
  /** The largest first. */
  readonly parts: readonly PlacedPart[];
}

/** The parts by their kinds, the kinds with the most tokens first. */
export function groupByKind(parts: readonly ContextPart[]): readonly PartGroup[] {
  const placed = parts.map((part, index) => ({ ...part, index }));
  return [...Map.groupBy(placed, ({ kind }) => kind)]
    .map(([kind, own]) => ({
      kind,
      title: kindTitles[kind],
      tokens: own.reduce((sum, { tokens }) => sum + tokens, 0),
      parts: own.toSorted((a, b) => b.tokens - a.tokens || a.index - b.index),
    }))
    .toSorted((a, b) => b.tokens - a.tokens);
}

/** One box of the map: a part, or all small ones of a kind together. */
export interface MapEntry {
  /** Missing: several parts. */
  readonly part?: PlacedPart;
  readonly label: string;
  readonly tokens: number;
}

/** Parts below this share of the window are one box together: nobody could hit them. */
const minShare = 0.004;
const maxEntries = 40;

/** The boxes of a kind. The box of the small parts is the last one. */
export function mapEntries({ parts, title }: PartGroup, total: number): readonly MapEntry[] {
  const shown = parts.slice(0, maxEntries).filter(({ tokens }) => tokens >= total * minShare && tokens > 0);
  const rest = parts.slice(shown.length);
  const tokens = rest.reduce((sum, part) => sum + part.tokens, 0);
  return [
    ...shown.map((part) => ({ part, label: labelOf(part), tokens: part.tokens })),
    ...(tokens > 0
      ? [{ label: counted(rest.length, `small part of ${title}`, `small parts of ${title}`), tokens }]
      : []),
  ];
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

/** `lookup`, or `prompt, message 3`. */
export function labelOf({ kind, name, message }: ContextPart): string {
  const place = message === null ? "" : `message ${message + 1}`;
  return [name === null ? nouns[kind] : showHidden(name, ""), place].filter(Boolean).join(", ");
}
