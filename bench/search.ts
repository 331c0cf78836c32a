/**
 * Prints how often the context search finds the right table among the first five, by words and with vectors, and how long a search takes.
 * `npm run bench -- search`, or `node --conditions=@bridle/source bench/search.ts [TABLES]`. Warehouse and questions are generated and
 * always the same. The test embedder only knows the generator's synonyms. The column "vectors" therefore shows the effect of combining
 * words with good vectors, not the quality of a model.
 */
import { performance } from "node:perf_hooks";
import { MemoryFacts } from "../packages/context/src/facts/memory-facts-for-tests.ts";
import { Knowledge } from "../packages/context/src/knowledge/knowledge.ts";
import { ContextSearch } from "../packages/context/src/search/context-search.ts";
import { GroupEmbedder } from "../packages/context/src/search/test-embedder-for-tests.ts";
import { generateWarehouse, meanings, type Question } from "./search/generated-warehouse.ts";

const given = process.argv.filter((word) => /^\d+$/.test(word)).map(Number);
const counts = given.length > 0 ? given : [300, 2700, 10_000];
for (const count of counts) await measure(count);

async function measure(count: number): Promise<void> {
  const { tables, questions } = generateWarehouse(count);
  const knowledge = new Knowledge({ facts: new MemoryFacts(tables) });
  const byWords = new ContextSearch({ knowledge });
  const withVectors = new ContextSearch({ knowledge, embedder: new GroupEmbedder(meanings) });
  const start = performance.now();
  await byWords.update();
  const indexed = performance.now() - start;
  await withVectors.update();
  console.log(`\n${count} tables, indexed in ${(indexed / 1000).toFixed(2)} s`);
  console.log("questions          count    words  vectors  lost with vectors");
  const groups = [...Map.groupBy(questions, (question) => question.kind), ["all", questions] as const];
  for (const [kind, asked] of groups) {
    const [words, vectors] = [await findAnswers(byWords, asked), await findAnswers(withVectors, asked)];
    print(kind, asked.length, words, vectors);
  }
  const times = await timesOf(byWords, questions);
  console.log(`by words: median ${at(times, 0.5)} ms, 95 % ${at(times, 0.95)} ms, longest ${at(times, 1)} ms`);
  await Promise.all([byWords.close(), withVectors.close()]);
}

type Answers = readonly boolean[];

function print(kind: string, count: number, words: Answers, vectors: Answers): void {
  const columns = [words, vectors].map((found) => (found.filter(Boolean).length / count).toFixed(3).padStart(8));
  const lost = words.filter((isFound, index) => isFound && !vectors[index]).length;
  console.log(`${kind.padEnd(16)} ${String(count).padStart(7)} ${columns.join(" ")} ${String(lost).padStart(18)}`);
}

/**
 * Returns, for each question, whether its table is among the first five. The schema has to be right, too, because other schemas have tables
 * with the same names.
 */
async function findAnswers(search: ContextSearch, questions: readonly Question[]): Promise<Answers> {
  const found: boolean[] = [];
  for (const { text, table } of questions) {
    const hits = await search.find(text, { limit: 5, kinds: ["table"], isVisible: ({ schema }) => schema === "s0" });
    found.push(hits.some(({ id }) => id === table));
  }
  return found;
}

async function timesOf(search: ContextSearch, questions: readonly Question[]): Promise<readonly number[]> {
  const times: number[] = [];
  for (const { text } of questions.slice(0, 300)) {
    const start = performance.now();
    await search.find(text, { limit: 10 });
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b);
}

function at(times: readonly number[], share: number): string {
  return (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1);
}
