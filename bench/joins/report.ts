import type { FoundJoins } from "../../packages/context/src/joins/find-joins.ts";
import type { FoundLink } from "../../packages/context/src/joins/report-links.ts";
import { type Gold, keyId, linkId } from "./gold.ts";

/** The results for a data set. */
export interface Judged {
  readonly name: string;
  readonly gold: Gold;
  readonly found: FoundJoins;
  readonly tables: number;
  readonly queries: number;
}

interface Score {
  readonly precision: number | undefined;
  readonly recall: number | undefined;
}

/** Prints a line for each data set, and the means over data sets. */
export function printScores(judged: readonly Judged[]): void {
  const rows = judged.map((set) => ({
    set,
    links: scoreLinks(set),
    review: scoreLinks(set, true),
    keys: scoreKeys(set),
  }));
  const composites = judged.map((set) => countComposites(set));
  console.log(
    `${"data set".padEnd(42)} links   precision recall +review composite | keys precision recall | queries/table`,
  );
  for (const [at, { set, links, review, keys }] of rows.entries()) {
    const [right, all] = composites[at] ?? [0, 0];
    const composite = `${right}/${all}`.padStart(9);
    const queries = (set.queries / set.tables).toFixed(1).padStart(6);
    console.log(
      `${set.name.padEnd(42)} ${String(set.gold.links.size).padStart(5)} ${show(links.precision)} ${show(links.recall)} ${show(review.recall)} ${composite} | ${String(set.gold.keys.size).padStart(4)} ${show(keys.precision)} ${show(keys.recall)} | ${queries}`,
    );
  }
  console.log("");
  printMeans("means over data sets", judged);
}

/** Prints the means over data sets in one line. */
export function printMeans(title: string, judged: readonly Judged[]): void {
  const mean = (score: (set: Judged) => number | undefined) => show(meanOf(judged.map(score)));
  const links = `links${mean((set) => scoreLinks(set).precision)}${mean((set) => scoreLinks(set).recall)}`;
  const review = `(with review${mean((set) => scoreLinks(set, true).recall)})`;
  const keys = `keys${mean((set) => scoreKeys(set).precision)}${mean((set) => scoreKeys(set).recall)}`;
  const counts = judged.map(countComposites);
  const [right, all] = [0, 1].map((at) => counts.reduce((sum, count) => sum + (count[at] ?? 0), 0));
  const composites = `composite links ${right} of ${all}, ${countWrongComposites(judged)} wrong`;
  console.log(`${title}: ${links} ${review}, ${keys}, ${composites}`);
}

/** Prints how many links are right, for each tenth of the score. */
export function printCalibration(judged: readonly Judged[]): void {
  const scored = judged.flatMap(({ gold, found }) =>
    found.links
      .filter((link) => !gold.neutral.has(linkId(link)) && !isImplied(link))
      .map((link) => ({ score: link.score, right: gold.links.has(linkId(link)) })),
  );
  console.log("\nscore      links  right  share");
  for (const [tenth, own] of [...Map.groupBy(scored, ({ score }) => Math.min(9, Math.floor(score * 10)))].sort(
    ([a], [b]) => a - b,
  )) {
    const right = own.filter((link) => link.right).length;
    const bounds = `${(tenth / 10).toFixed(1)}–${((tenth + 1) / 10).toFixed(1)}`;
    console.log(
      `${bounds} ${String(own.length).padStart(8)} ${String(right).padStart(6)} ${(right / own.length).toFixed(2).padStart(6)}`,
    );
  }
}

const minScores = [0.5, 0.6, 0.7, 0.8, 0.9];

/** Prints precision and recall of keys for several minimum scores, separately for keys of one and of several columns. */
export function printKeyScores(judged: readonly Judged[]): void {
  console.log("\nkeys of one column from, of several from: precision, recall");
  for (const one of minScores) {
    const line = minScores.map((several) => {
      const some = judged.map((set) => ({ ...set, found: { ...set.found, keys: keysFrom(set.found, one, several) } }));
      const mean = (score: (set: Judged) => number | undefined) => show(meanOf(some.map(score)));
      return `${several}:${mean((set) => scoreKeys(set).precision)}${mean((set) => scoreKeys(set).recall)}`;
    });
    console.log(`${one}  ${line.join("  ")}`);
  }
}

function keysFrom({ keys }: FoundJoins, one: number, several: number): FoundJoins["keys"] {
  return keys.filter(({ columns, score }) => score >= (columns.length === 1 ? one : several));
}

/** Prints precision and recall of links for several minimum scores. */
export function printLinkScores(judged: readonly Judged[]): void {
  console.log("\nlinks from: precision, recall");
  for (const min of minScores) {
    const some = judged.map((set) => ({
      ...set,
      found: { ...set.found, links: set.found.links.filter(({ score }) => score >= min) },
    }));
    const mean = (score: (set: Judged) => number | undefined) => show(meanOf(some.map(score)));
    console.log(`${min}:${mean((set) => scoreLinks(set).precision)}${mean((set) => scoreLinks(set).recall)}`);
  }
}

/** Lists wrong and missing links. */
export function listErrors(judged: readonly Judged[]): void {
  for (const { name, gold, found } of judged) {
    const links = new Map(found.links.map((link) => [linkId(link), link]));
    for (const [id, { score, status }] of links) {
      if (status === "accepted" && !gold.links.has(id) && !gold.neutral.has(id))
        console.log(`WRONG   ${name} ${id} ${score.toFixed(2)}`);
    }
    for (const id of gold.links) {
      const link = links.get(id);
      if (link?.status !== "accepted") console.log(`MISSED  ${name} ${id} ${link?.score.toFixed(2) ?? "–"}`);
    }
    const keys = new Map(found.keys.map((key) => [keyId(key), key]));
    for (const [id, { score }] of keys) {
      if (!gold.keys.has(id) && !gold.neutral.has(id))
        console.log(`KEY     ${name} ${id} ${score.toFixed(2)} is wrong`);
    }
    for (const id of gold.keys) if (!keys.has(id)) console.log(`KEY     ${name} ${id} is missing`);
  }
}

function isImplied({ evidence }: FoundLink): boolean {
  return evidence.signals.includes("follows from a link of several columns");
}

function scoreLinks({ gold, found }: Judged, review = false): Score {
  const said = [...new Set(found.links.filter(({ status }) => review || status === "accepted").map(linkId))];
  return scoreOf(said, gold.links, gold.neutral);
}

function scoreKeys({ gold, found }: Judged): Score {
  const score = scoreOf(found.keys.map(keyId), gold.keys, gold.neutral);
  return gold.completeKeys ? score : { ...score, precision: undefined };
}

function scoreOf(said: readonly string[], known: ReadonlySet<string>, neutral: ReadonlySet<string>): Score {
  const right = said.filter((id) => known.has(id)).length;
  const wrong = said.filter((id) => !known.has(id) && !neutral.has(id)).length;
  return {
    precision: right + wrong === 0 ? undefined : right / (right + wrong),
    recall: known.size === 0 ? undefined : right / known.size,
  };
}

function countComposites({ gold, found }: Judged): readonly [right: number, all: number] {
  const said = new Set(found.links.filter(({ status }) => status === "accepted").map(linkId));
  return [[...gold.composites].filter((id) => said.has(id)).length, gold.composites.size];
}

function countWrongComposites(judged: readonly Judged[]): number {
  return judged.flatMap(({ gold, found }) =>
    found.links.filter(
      (link) =>
        link.status === "accepted" &&
        link.from.columns.length > 1 &&
        !gold.links.has(linkId(link)) &&
        !gold.neutral.has(linkId(link)),
    ),
  ).length;
}

function meanOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function show(share: number | undefined): string {
  return share === undefined ? "     –" : share.toFixed(3).padStart(6);
}
