/** Random documents in sources with different authority, and their changes over several runs. */
import fc from "fast-check";
import { authorities, type FetchEvent, type IngestSource, type SourceItem } from "../../../src/sources/source.ts";
import { type Sentence, sentenceOf, sizes, valuesOf } from "./sentences.ts";

/** A document in one of its versions. */
interface RandomDocument {
  readonly sentences: readonly Sentence[];
  /** The date of the document's last change; undefined if unknown. */
  readonly day: string | undefined;
  /** The amount of other content, which states no facts. */
  readonly noise: number;
  /** Whether the model reads the document closely. */
  readonly isClose: boolean;
}

/** A change of a document before a run: a new version, another day for the same text, or undefined if it is deleted. */
export type Edit = readonly [place: number, document: RandomDocument | Pick<RandomDocument, "day"> | undefined];

/** A disturbance of a run, which happens after some model calls, or before the run if the record of written entries is lost. */
export interface Disturbance {
  readonly kind: "none" | "overloaded" | "limit" | "stopped" | "silent" | "dry" | "lost";
  readonly after: number;
}

export interface RandomRun {
  readonly edits: readonly Edit[];
  readonly disturbance: Disturbance;
}

/** The sources, with the authority of their documents. */
const sourceNames = ["certified", "document", "document", "inferred"].map(
  (authority, index) => [`${authority}-${index}`, authority] as const,
);
const places = 10;

/** Returns the source, the id and the authority of the document at a place. */
export function placeOf(place: number) {
  const [source, authority] = sourceNames[place % sourceNames.length] ?? ["document-1", "document"];
  return { source, item: `page-${place}.md`, authority: authorities.find((each) => each === authority) ?? "document" };
}

/** The existing documents, by place. */
export type Documents = ReadonlyMap<number, RandomDocument>;

export function afterEdits(documents: Documents, edits: readonly Edit[]): Documents {
  const all = new Map(documents);
  for (const [place, document] of edits) {
    const present = all.get(place);
    if (document === undefined) all.delete(place);
    else if ("sentences" in document) all.set(place, document);
    else if (present !== undefined) all.set(place, { ...present, ...document });
  }
  return all;
}

export function sourcesOf(documents: Documents): readonly IngestSource[] {
  const items = Map.groupBy(documents, ([place]) => placeOf(place).source);
  return sourceNames.map(([name]) => ({
    name,
    type: "documents",
    async *fetch(): AsyncGenerator<FetchEvent> {
      for (const [place, document] of items.get(name) ?? []) yield { kind: "item", item: toItem(place, document) };
      yield { kind: "complete" };
    },
  }));
}

function toItem(place: number, { sentences, day, noise, isClose }: RandomDocument): SourceItem {
  const { item: id, authority } = placeOf(place);
  const lines = sentences.flatMap(({ text }) => [text, ""]);
  const text = [`# Page ${place}`, "", `Rain fell ${isClose ? "hard" : "softly"} on day ${noise}.`, "", ...lines];
  return { id, title: `Page ${place}`, text: text.join("\n"), kind: "page", authority, updatedAt: day };
}

const sentence = fc
  .tuple(fc.nat(sizes.facts - 1), fc.nat(2), fc.nat(sizes.wordings - 1))
  .map(([fact, value, wording]) => sentenceOf(fact, value % valuesOf(fact), wording));

const day = fc.option(
  fc.integer({ min: 1, max: 4 }).map((number) => `2026-03-0${number}`),
  { nil: undefined, freq: 4 },
);

const documents: fc.Arbitrary<RandomDocument> = fc.record({
  sentences: fc.uniqueArray(sentence, { maxLength: 4, selector: ({ text }) => text }),
  day,
  noise: fc.nat(3),
  isClose: fc.boolean(),
});

const edit: fc.Arbitrary<Edit> = fc.tuple(
  fc.nat(places - 1),
  fc.oneof(
    { weight: 3, arbitrary: documents },
    { weight: 1, arbitrary: fc.record({ day }) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  ),
);

const disturbance: fc.Arbitrary<Disturbance> = fc.record({
  kind: fc.constantFrom("none", "none", "none", "overloaded", "limit", "stopped", "silent", "dry", "lost"),
  after: fc.nat(5),
});

const run: fc.Arbitrary<RandomRun> = fc.record({ edits: fc.array(edit, { maxLength: 6 }), disturbance });

/** Several runs, the first of which finds many documents. */
export const randomHistory: fc.Arbitrary<readonly RandomRun[]> = fc
  .tuple(
    fc.record({ edits: fc.array(edit, { minLength: 4, maxLength: 14 }), disturbance }),
    fc.array(run, { minLength: 2, maxLength: 5 }),
  )
  .map(([first, others]) => [first, ...others]);
