/** Makes a project's memory a source: facts that users stated, with their date. */
import type { Candidate } from "../sources/candidate.ts";
import type { FetchEvent, IngestSource, Projection, SourceItem } from "../sources/source.ts";
import { type MemoryFact, memoryFileName } from "./memory-file.ts";
import type { ScopedMemory } from "./scoped-memory.ts";

/** The name of the memory source. */
export const memorySourceName = "memory";

/** Creates the source. Does not throw: if a file is wrong, `fetch` rejects with a ConfigError. */
export function createMemorySource(memory: ScopedMemory): IngestSource {
  return {
    name: memorySourceName,
    type: "memory",
    async *fetch(): AsyncGenerator<FetchEvent> {
      for (const fact of memory.facts()) yield { kind: "item", item: toItem(fact) };
      yield { kind: "complete" };
    },
    project(items): Projection {
      const ids = new Set(items.map(({ id }) => id));
      const candidates = memory
        .facts()
        .filter(({ id }) => ids.has(id))
        .flatMap(toCandidates);
      return { candidates, findings: [] };
    },
  };
}

function toItem({ id, text, by, at, captured }: MemoryFact): SourceItem {
  const title = `${by ?? "A person"} on ${at.slice(0, 10)}`;
  return {
    id,
    title,
    text,
    kind: "memory",
    authority: captured ? "document" : "person",
    updatedAt: at,
    location: memoryFileName,
    isStructured: true,
  };
}

function toCandidates({ id, text, statements }: MemoryFact): readonly Candidate[] {
  return statements.map(({ quote = text, tables = [], ...statement }) => ({
    body: { kind: "statement", tables, ...statement },
    evidence: { source: memorySourceName, item: id, quote },
    origin: "person",
  }));
}
