/** Documents with planted facts: the items of a source in each version, and the facts that must be known afterwards. */
import type { FetchEvent, IngestSource, SourceItem } from "../../../src/sources/source.ts";
import { type PlantedFact, plantedFacts, type Saying, unwantedKinds } from "./planted-facts.ts";

/** The number of versions of the documents. */
export const corpusVersions = 4;

/** A wording of a fact in a document. */
export interface StatedFact extends Saying {
  readonly fact: PlantedFact;
}

export class Corpus {
  readonly facts: readonly PlantedFact[];

  constructor(facts: readonly PlantedFact[] = plantedFacts) {
    this.facts = facts;
  }

  /** Returns the facts in the documents of a version. */
  stated(version: number): readonly StatedFact[] {
    return this.facts.flatMap((fact) =>
      fact.sayings
        .filter(({ from = 1, to = corpusVersions }) => from <= version && version <= to)
        .map((saying) => ({ ...saying, fact })),
    );
  }

  /** Returns the facts that must be known for a version: each wording with its document. */
  wanted(version: number): readonly StatedFact[] {
    return this.stated(version).filter(({ fact }) => !unwantedKinds.has(fact.kind));
  }

  /** Texts that must not appear anywhere. */
  get forbidden(): readonly string[] {
    return this.facts.flatMap(({ mustNotAppear }) => mustNotAppear ?? []);
  }

  items(version: number): readonly SourceItem[] {
    const byDocument = Map.groupBy(this.stated(version), ({ document }) => document);
    return [...byDocument].map(([document, stated]) => toItem(document, stated, version));
  }

  /** Creates a source with the documents of a version, which always fetches all of them. */
  source(version: number, name = "handbook"): IngestSource {
    return sourceOf(this.items(version), name);
  }
}

/** The corpus without the long document. */
export const shortCorpus = new Corpus(plantedFacts.filter(({ id }) => id !== "deep-inspection"));

/** A few documents of each kind, for runs that are repeated often. */
export const smallCorpus = new Corpus(
  [...Map.groupBy(shortCorpus.facts, ({ kind, tables = [] }) => `${kind} ${tables.length > 0}`).values()].flatMap(
    (facts) => facts.slice(0, 2),
  ),
);

/** Creates a source with these items. */
export function sourceOf(items: Iterable<SourceItem>, name = "handbook"): IngestSource {
  return {
    name,
    type: "documents",
    async *fetch(): AsyncGenerator<FetchEvent> {
      for (const item of items) yield { kind: "item", item };
      yield { kind: "complete" };
    },
  };
}

function toItem(document: string, stated: readonly StatedFact[], version: number): SourceItem {
  const title = titleOf(document);
  const paragraphs = stated.flatMap(({ text }, index) => (index === 0 ? [text] : ["", text]));
  const changed = Math.max(...stated.map(({ from = 1 }) => from).filter((from) => from <= version));
  const body = document.includes("inspections")
    ? deep(paragraphs)
    : document.includes("cabins")
      ? inTable(stated)
      : paragraphs;
  const noise = /^(standups|office)\//.test(document) ? noiseLines : [];
  return {
    id: document,
    title,
    text: [`# ${title}`, "", ...noise, ...body, ...noise, ""].join("\n"),
    kind: "page",
    authority: "document",
    updatedAt: updatedAt(document, changed),
    location: `docs/${document}`,
  };
}

function titleOf(document: string): string {
  const name = document.slice(document.lastIndexOf("/") + 1).replace(/\.md$/, "");
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
}

/** Returns the date of a document. Documents whose contradiction cannot be settled have the same date. */
function updatedAt(document: string, version: number): string {
  if (document.includes("surcharge-2026")) return "2026-05-02T00:00:00Z";
  if (document.includes("surcharge-2025")) return "2025-04-01T00:00:00Z";
  return `2026-0${version + 1}-02T00:00:00Z`;
}

const noiseLines = [
  "The team met on Tuesday and went through the board.",
  "Coffee is on the second floor this week.",
  "Marta will book the room.",
  "The projector is still broken.",
];

const noiseWords = "bow stern ok later port check starboard done open deck rail north".split(" ");

/** Puts the facts near the end of a long list of findings. */
function deep(paragraphs: readonly string[]): readonly string[] {
  let state = 7;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return noiseWords[state % noiseWords.length];
  };
  const lines = Array.from({ length: 1500 }, (_, index) => {
    const words = Array.from({ length: 12 }, next).join(" ");
    return `Item ${index}: ${words}.${index % 12 === 11 ? "\n" : ""}`;
  });
  return [...lines.slice(0, 1200), "", ...paragraphs, "", ...lines.slice(1200)];
}

function inTable(stated: readonly StatedFact[]): readonly string[] {
  return ["| class | what it means |", "| --- | --- |", ...stated.map(({ text }) => `| C | ${text} |`)];
}
