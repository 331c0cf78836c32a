/**
 * Finds keys and links in data sets with known answers, and prints how many are right. `node --conditions=@bridle/source bench/joins.ts
 * FOLDER` judges each data set with models that were fitted without its family. A data set and its variants, such as NAME_opaque, are one
 * family, and so are generated databases of one kind. FOLDER contains one folder for each data set, with `data.sqlite` and `gold.json`.
 *
 * - `--folds 8` leaves out an eighth of the families at a time, `--folds all` one family.
 * - `--seeds 6` generates 6 databases of each kind, which are also used for the fit.
 * - `--shipped` judges with the package's models instead.
 * - `--errors` lists wrong and missing answers.
 * - `--answers OUT` writes the answers for each data set as JSON.
 * - `--perturb NAME` also prints the means over copies whose names or values are changed, `--perturb all` those for every kind of change.
 * - `--weights FILE` writes the models that are fitted on everything.
 */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { JoinModelSets } from "../packages/context/src/joins/scores/models.ts";
import { joinModels } from "../packages/context/src/joins/scores/weights.ts";
import { type DataSet, generateDataSet, judgeDataSet, readDataSets } from "./joins/data-set.ts";
import { families } from "./joins/families/families.ts";
import { fitFolds } from "./joins/folds.ts";
import { perturbations } from "./joins/perturb/perturbations.ts";
import {
  type Judged,
  listErrors,
  printCalibration,
  printKeyScores,
  printLinkScores,
  printMeans,
  printScores,
} from "./joins/report.ts";
import { copyDataSets, Training, trainingCopies } from "./joins/training.ts";

const { values, positionals } = parseArgs({
  options: {
    answers: { type: "string" },
    errors: { type: "boolean", default: false },
    folds: { type: "string", default: "8" },
    perturb: { type: "string", multiple: true, default: [] },
    seeds: { type: "string", default: "6" },
    shipped: { type: "boolean", default: false },
    weights: { type: "string" },
  },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined || !existsSync(folder)) {
  console.log("Skipped: pass a folder of data sets with known keys. Each is a folder with data.sqlite and gold.json.");
  process.exit(0);
}

const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "gold.json")));
const sets = await readDataSets(folder, names);
const generated: DataSet[] = [];
for (const family of families) {
  for (let seed = 1; seed <= Number(values.seeds); seed++) generated.push(await generateDataSet(family, seed));
}
const chosen = Object.keys(perturbations).filter(
  (name) => values.perturb.includes("all") || values.perturb.includes(name),
);
const copies = await copyDataSets(sets, new Set([...(values.shipped ? [] : trainingCopies), ...chosen]));

const modelsOf = await chooseModels();
const judged = await judgeAll(sets);
printScores(judged);
for (const name of chosen) printMeans(name, await judgeAll(copies.get(name) ?? []));
console.log("");
const drawn = await judgeAll(generated);
for (const [kind, own] of Map.groupBy(drawn, ({ name }) => name.replace(/ \d+$/, ""))) printMeans(kind, own);
printMeans("all that are generated", drawn);
printCalibration(judged);
printCalibration(drawn);
printKeyScores(judged);
printLinkScores(judged);
printKeyScores(drawn);
printLinkScores(drawn);
if (values.errors) listErrors([...judged, ...drawn]);
if (values.answers !== undefined) writeAnswers(judged, values.answers);

/** Finds the models for each family. */
async function chooseModels(): Promise<(family: string) => JoinModelSets> {
  if (values.shipped) return () => joinModels;
  const count = values.folds === "all" ? Number.POSITIVE_INFINITY : Number(values.folds);
  const { folds, whole } = await fitFolds(new Training(sets, copies, generated), count);
  if (values.weights !== undefined) writeFileSync(values.weights, `${JSON.stringify(whole, null, 2)}\n`);
  return (family) => folds.find((fold) => fold.families.has(family))?.models ?? joinModels;
}

async function judgeAll(chosenSets: readonly DataSet[]): Promise<readonly Judged[]> {
  const found: Judged[] = [];
  for (const set of chosenSets) found.push(await judgeDataSet(set, modelsOf(set.family)));
  return found;
}

function writeAnswers(results: readonly Judged[], target: string): void {
  for (const { name, found } of results) {
    const answers = { primaryKeys: found.keys, foreignKeys: found.links };
    writeFileSync(join(target, `${name}.json`), JSON.stringify(answers));
  }
}
