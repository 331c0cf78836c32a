/** Merges the rendered front matter with the front matter of a file. Pure. */
import type { PageFront } from "@bridle/context";
import { isPlainObject } from "@bridle/protocol";
import { documentKey } from "./claim-text.ts";
import { hashOfWritten, removedByPerson, type WrittenEntries } from "./written-record.ts";

export interface MergedFront {
  /** The keys to set. A key is removed if its value is undefined. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The record of the written keys. */
  readonly written: ReadonlyMap<string, string>;
  /** The new number of each mark, by its old number. */
  readonly numbers: ReadonlyMap<number, number>;
  /** Whether the file has keys that a user wrote or changed. */
  readonly hasPersons: boolean;
}

interface FrontMerge {
  /** The rendered front matter; undefined if the page has no claims any longer. */
  readonly rendered: PageFront | undefined;
  /** The whole front matter of the file, as written there. */
  readonly file: Readonly<Record<string, unknown>>;
  readonly written: WrittenEntries;
  /** Whether a user may have removed a key that is missing in the file. */
  readonly mayBeRemoved: boolean;
  /** The numbers of marks in users' texts. */
  readonly cited: ReadonlySet<number>;
}

const mergedKeys = ["title", "summary", "tables", "metrics", "refs"] as const;

export function mergeFront(merge: FrontMerge): MergedFront {
  const values: Record<string, unknown> = {};
  const written = new Map<string, string>();
  let hasPersons = Object.keys(merge.file).some((key) => !ownKeys.includes(key));
  for (const key of mergedKeys) {
    const { value, mark, isPersons } = mergeValue(key, merge);
    values[key] = value;
    if (mark !== undefined) written.set(`front.${key}`, mark);
    hasPersons ||= isPersons;
  }
  const topics = mergeTopics(merge);
  values.topics = topics.value;
  for (const [key, mark] of topics.written) written.set(key, mark);
  const { sources, numbers, ours } = mergeSources(merge);
  values.sources = sources;
  if (ours.length > 0) written.set("front.sources", ours.join(" "));
  return { values, written, numbers, hasPersons: hasPersons || sources.length > ours.length };
}

const ownKeys: readonly string[] = [...mergedKeys, "topics", "sources"];

function mergeValue(
  key: (typeof mergedKeys)[number],
  { rendered, file, written, mayBeRemoved }: FrontMerge,
): { readonly value: unknown; readonly mark?: string; readonly isPersons: boolean } {
  const [ours, theirs, mark] = [filled(rendered?.[key]), filled(file[key]), written.get(`front.${key}`)];
  const own = ours === undefined ? {} : { mark: hashOfWritten(ours) };
  if (theirs === undefined) {
    const isRemoved = mark === removedByPerson || (mark !== undefined && mayBeRemoved);
    return isRemoved
      ? { value: undefined, mark: removedByPerson, isPersons: false }
      : { value: ours, ...own, isPersons: false };
  }
  const isOurs = hashOfWritten(theirs) === mark || JSON.stringify(theirs) === JSON.stringify(ours);
  return isOurs ? { value: ours, ...own, isPersons: false } : { value: theirs, isPersons: true };
}

function filled(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

/** Merges the topics. Users may add topics to a page and change their order. Topics from ingest are always included. */
function mergeTopics({ rendered, file, written }: FrontMerge): {
  value: unknown;
  written: ReadonlyMap<string, string>;
} {
  const [ours, old] = [rendered?.topics ?? [], (written.get("front.topics") ?? "").split(" ")];
  const present = [file.topics].flat().filter((topic) => typeof topic === "string");
  const theirs = present.filter((topic) => ours.includes(topic) || !old.includes(hashOfWritten(topic)));
  const value = [...theirs, ...ours.filter((topic) => !theirs.includes(topic))];
  const [key] = ours;
  const marks =
    key === undefined
      ? []
      : ([
          ["topic", key],
          ["front.topics", ours.map(hashOfWritten).join(" ")],
        ] as const);
  return { value, written: new Map(marks) };
}

/** Merges the sources: ingest's documents first, then those that users added or cite. */
function mergeSources({ rendered, file, written, cited }: FrontMerge): {
  sources: readonly unknown[];
  numbers: ReadonlyMap<number, number>;
  ours: readonly string[];
} {
  const own = (rendered?.sources ?? []).map((value) => ({ value, key: documentKey(value) }));
  const keys = new Set(own.map(({ key }) => key));
  const old = new Set((written.get("front.sources") ?? "").split(" "));
  const present = readSources(file.sources);
  const kept = present.filter(({ key }, index) => {
    return !keys.has(key) && (!old.has(hashOfWritten(key)) || cited.has(index + 1));
  });
  const all = [...own, ...new Map(kept.map((each) => [each.key, each])).values()];
  const places = new Map(all.map(({ key }, index) => [key, index + 1]));
  const numbers = present.flatMap(({ key }, index) => {
    const place = places.get(key);
    return place === undefined ? [] : [[index + 1, place] as const];
  });
  return {
    sources: all.map(({ value }) => value),
    numbers: new Map(numbers),
    ours: own.map(({ key }) => hashOfWritten(key)),
  };
}

/** Reads `sources`. An invalid entry keeps its position, so that marks keep their numbers. */
function readSources(value: unknown): readonly { readonly value: unknown; readonly key: string }[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  return entries.map((each) => {
    const { source, item } = isPlainObject(each) ? each : {};
    const isDocument = typeof source === "string" && typeof item === "string";
    return { value: each, key: isDocument ? documentKey({ source, item }) : JSON.stringify(each) };
  });
}

const mark = /(?<!\\)\[(\d{1,4})\](?!\(|:|\[\D)/g;

/** Returns the numbers of the marks in a text. */
export function marksIn(text: string): ReadonlySet<number> {
  return new Set([...text.matchAll(mark)].map(([, number]) => Number(number)));
}

/** Returns a text with the new numbers in its marks. */
export function renumber(text: string, numbers: ReadonlyMap<number, number>): string {
  return text.replaceAll(mark, (whole, number: string) => `[${numbers.get(Number(number)) ?? whole.slice(1, -1)}]`);
}
