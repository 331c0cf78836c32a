/**
 * Measures how the curator pairs statements with the same meaning, for 3,000 to 30,000 statements: recall and precision of the offered
 * pairs, and the time that pairing takes. `npm run bench -- blocking`. Calls no model.
 */
import { performance } from "node:perf_hooks";
import { readWording } from "../packages/ingest/src/claims/wording/read-wording.ts";
import { findNeighbours } from "../packages/ingest/src/curation/neighbours.ts";
import { type GeneratedStatement, generateStatements } from "./ingest/generated-statements.ts";

const given = process.argv.filter((word) => /^\d+$/.test(word)).map(Number);
console.log("\nstatements    reading    pairing     pairs  for each    recall  precision");
for (const count of given.length > 0 ? given : [3000, 10_000, 30_000]) measure(generateStatements(count));

function measure(statements: readonly GeneratedStatement[]): void {
  const start = performance.now();
  const wordings = statements.map(({ subject, statement }) => readWording(subject, statement));
  const read = performance.now();
  const pairs = findNeighbours(wordings);
  const end = performance.now();
  const same = pairs.filter(({ a, b }) => statements[a]?.fact === statements[b]?.fact).length;
  const facts = [...Map.groupBy(statements, ({ fact }) => fact).values()];
  const wanted = facts.filter((wordingsOfFact) => wordingsOfFact.length === 2).length;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`.padStart(11);
  const share = (part: number, whole: number) => (part / Math.max(1, whole)).toFixed(3);
  console.log(
    `${String(statements.length).padStart(10)}${seconds(read - start)}${seconds(end - read)}${String(pairs.length).padStart(10)}` +
      `${(pairs.length / statements.length).toFixed(2).padStart(10)}${share(same, wanted).padStart(10)}${share(same, pairs.length).padStart(11)}`,
  );
}
