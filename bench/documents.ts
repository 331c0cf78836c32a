import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Documents, openDocuments, openSqliteStore, type SearchMode } from "@bridle/documents";
import type { Embedder } from "@bridle/protocol";
import { measureInTurns } from "./statistics.ts";
import { printTable } from "./table.ts";

const files = 100;
const partsOfFile = 100;
const parts = files * partsOfFile;
const dimensions = 1536;
const queries = 50;

/** Measures the time to index 10,000 parts of documents and to search them, by words and with vectors that are computed locally. */
export async function benchDocuments(rounds: number, folder: string): Promise<void> {
  const baseDir = join(folder, "documents");
  writeDocuments(join(baseDir, "docs"));
  let index = 0;
  const open = (searchMode: SearchMode, name: string) =>
    openDocuments({
      sources: ["docs"],
      baseDir,
      store: openSqliteStore(join(baseDir, `${name}.db`)),
      searchMode,
      ...(searchMode !== "keyword" && { embedder: createFreeEmbedder() }),
    });

  async function indexOnce(searchMode: SearchMode): Promise<number> {
    const name = `index ${index++}`;
    const documents = open(searchMode, name);
    const started = performance.now();
    const { chunks } = await documents.update();
    const ms = performance.now() - started;
    await documents.close();
    rmSync(join(baseDir, `${name}.db`));
    if (chunks !== parts) throw new Error(`${chunks} parts were indexed instead of ${parts}.`);
    return ms;
  }

  const indexing = await measureInTurns(rounds, {
    "by words": () => indexOnce("keyword"),
    [`with vectors of ${dimensions} dimensions`]: () => indexOnce("hybrid"),
  });
  printTable(`Indexing ${parts.toLocaleString("en")} parts in ${files} files`, indexing, {
    target: "under 60,000 ms by words",
  });

  const documents = open("hybrid", "search");
  await documents.update();
  const update = await measureInTurns(rounds, {
    "an update without changes": () => timed(() => documents.update()),
  });
  printTable(`Updating an index of ${parts.toLocaleString("en")} parts`, update, {});
  const searching = await measureInTurns(rounds * queries, {
    "by words": () => search(documents, "keyword"),
    "by meaning": () => search(documents, "semantic"),
    hybrid: () => search(documents, "hybrid"),
  });
  printTable(`One search of ${parts.toLocaleString("en")} parts`, searching, {
    target: "a median under 50 ms by words",
  });
  await documents.close();
}

/** Generates text like that of a shop's handbook: few words are frequent, most are rare, and each part has a unique number. */
function writeDocuments(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const random = randomFrom(7);
  for (let file = 0; file < files; file += 1) {
    const sections = Array.from({ length: partsOfFile }, (_, part) => {
      const text = Array.from({ length: 120 }, () => wordAt(random() ** 3)).join(" ");
      return `## Section ${file}-${part}\n\nAbout the order A-${file * partsOfFile + part}. ${text}.\n`;
    });
    writeFileSync(join(folder, `${file}.md`), `${sections.join("\n")}`);
  }
}

const vocabulary = 20_000;

/** Picks a word. `share` ranges from 0, the most frequent word, to 1. */
function wordAt(share: number): string {
  return `word${Math.floor(share * vocabulary).toString(26)}`;
}

let asked = 0;

/** Builds a query from a frequent, a common and a rare word, and a number. */
function search(documents: Documents, mode: SearchMode): Promise<number> {
  asked += 1;
  const words = [0.0001, 0.05, 0.6].map((share) => wordAt(share * (1 + (asked % 97) / 97)));
  return timed(() => documents.search(`${words.join(" ")} A-${asked % parts}`, { mode }));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Creates an embedder that computes vectors from the text, without a host. */
function createFreeEmbedder(): Embedder {
  return {
    id: "bench",
    model: "free",
    account: "bench",
    async embed(texts) {
      const vectors = texts.map((text) => {
        const random = randomFrom(text.length * 31 + (text.codePointAt(text.length - 2) ?? 0));
        return Float32Array.from({ length: dimensions }, () => random() - 0.5);
      });
      return { vectors, usage: { inputTokens: 0 } };
    },
    async close() {},
  };
}

/** Creates numbers from 0 to 1, by a linear congruential generator (Numerical Recipes). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
