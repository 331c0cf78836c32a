/**
 * Proposes joins at random, and prints the share of wrong proposals that is accepted. This shows that a model's proposals are accepted only
 * if the data support them. `node --conditions=@bridle/source bench/proposals.ts FOLDER` uses the data sets of `bench/joins.ts`: FOLDER
 * contains one folder for each, with `data.sqlite` and `gold.json`. `--seed N` proposes other joins. `--informed` uses only models that
 * propose all true links, with and without guesses, also in generated databases, and prints precision and recall of the accepted links. The
 * scan finds joins with the package's models, which were also fitted on these data sets.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Family, families, generate } from "./joins/families/families.ts";
import { readGold } from "./joins/gold.ts";
import { InformedModels } from "./proposals/informed-models.ts";
import { type Guess, guessJoins, guessKinds, ScannedDataSet } from "./proposals/scanned-data-set.ts";
import { writeSqlite } from "./proposals/write-sqlite.ts";

const { values, positionals } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    informed: { type: "boolean", default: false },
    seeds: { type: "string", default: "2" },
  },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined || !existsSync(folder)) {
  console.log("Skipped: pass a folder of data sets with known keys. Each is a folder with data.sqlite and gold.json.");
  process.exit(0);
}

/** The number of joins that one model proposes at a time, and the number of times. */
const sizes = [1, 3, 10, 30];
const models = 20;

interface Tally {
  wrong: number;
  accepted: number;
  review: number;
}
const tallies = new Map<string, Tally>();
const state = mkdtempSync(join(tmpdir(), "bridle-bench-proposals-"));
try {
  const informed = new InformedModels();
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "gold.json")));
  for (const name of names) {
    const gold = readGold(join(folder, name));
    const set = await ScannedDataSet.open(join(folder, name, "data.sqlite"), join(state, `${name}.sqlite`), gold);
    await informed.judge("databases with known links", set, `${values.seed} ${name}`);
    if (!values.informed) for (const kind of guessKinds) await judgeGuesses(set, name, kind);
    await set.close();
  }
  if (!values.informed) print(names.length);
  for (const family of families) {
    for (let seed = 1; seed <= Number(values.seeds); seed++) await judgeGenerated(family, seed, informed);
  }
  informed.print();
} finally {
  rmSync(state, { recursive: true, force: true });
}

async function judgeGenerated(family: Family, seed: number, informed: InformedModels): Promise<void> {
  const { tables, gold } = generate(family, seed);
  const name = `${family.name} ${seed}`;
  const file = join(state, `${name}.data.sqlite`);
  writeSqlite(file, tables);
  const set = await ScannedDataSet.open(file, join(state, `${name}.sqlite`), gold);
  await informed.judge("generated databases", set, name);
  await set.close();
}

async function judgeGuesses(set: ScannedDataSet, name: string, kind: Guess): Promise<void> {
  for (const size of sizes) {
    for (let model = 0; model < models; model++) {
      const seed = `${values.seed} ${name} ${kind} ${size} ${model}`;
      const wrong = await set.judge(guessJoins(kind, size, seed, set));
      const key = `${kind}, ${size} at a time`;
      const tally = tallies.get(key) ?? { wrong: 0, accepted: 0, review: 0 };
      tally.wrong += wrong.length;
      tally.accepted += wrong.filter((outcome) => outcome === "accepted").length;
      tally.review += wrong.filter((outcome) => outcome === "review").length;
      tallies.set(key, tally);
    }
  }
}

function print(sets: number): void {
  console.log(`${sets} data sets. Of wrong proposals, the share that is accepted, and that is listed for review:`);
  for (const [key, { wrong, accepted, review }] of tallies) {
    const share = (count: number) => (wrong === 0 ? 0 : count / wrong).toFixed(4);
    console.log(
      `${key.padEnd(48)} ${String(wrong).padStart(7)} wrong  ${share(accepted)} accepted  ${share(review)} review`,
    );
  }
}
