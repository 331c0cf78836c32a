/**
 * Finds keys and links in data sets with known answers, and prints how many are right.
 * `node --conditions=@bridle/source bench/joins.ts FOLDER` judges each data set with models that were fitted without it: a data
 * set and its variants, such as NAME_opaque, count as one. `--only TEXT` judges only data sets with the text in their name.
 * `--shipped` judges with the models of the package instead. `--errors` lists what is wrong or missing. `--answers OUT` writes
 * the answers for each data set as JSON. `--perturb NAME` also prints the means over copies with other names or values,
 * `--perturb all` over each kind of them. `--weights` only prints the models that are fitted on all data sets.
 * FOLDER has one folder for each data set, with `data.sqlite` and `gold.json`.
 */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hasFewNames, type JoinModelSets } from "../packages/context/src/joins/score-candidates.ts";
import { joinModels } from "../packages/context/src/joins/weights.ts";
import { type DataSet, judgeDataSet, readDataSet } from "./joins/data-set.ts";
import { perturbations } from "./joins/perturb/perturbations.ts";
import { type Judged, listErrors, printCalibration, printMeans, printScores } from "./joins/report.ts";
import { copyDataSets, Training, trainingCopies } from "./joins/training.ts";
import { groupVariants } from "./joins/variants.ts";

const { values, positionals } = parseArgs({
  options: {
    answers: { type: "string" },
    errors: { type: "boolean", default: false },
    perturb: { type: "string", multiple: true, default: [] },
    only: { type: "string", default: "" },
    shipped: { type: "boolean", default: false },
    weights: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined || !existsSync(folder)) {
  console.log("Skipped: pass a folder of data sets with known keys. Each is a folder with data.sqlite and gold.json.");
  process.exit(0);
}

const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "gold.json")));
const sets: DataSet[] = [];
for (const name of names) sets.push(await readDataSet(folder, name));
const chosen = chosenPerturbations();
const copies = await copyDataSets(sets, new Set([...(values.shipped ? [] : trainingCopies), ...chosen]));
const training = new Training(sets, copies);
if (values.weights) console.log(JSON.stringify(training.fitAll(), null, 2));
else await judge();

async function judge(): Promise<void> {
  const groups = groupVariants(names, (name) => sets.find((set) => set.name === name)?.database.tables ?? []);
  const judged: Judged[] = [];
  const perturbed = new Map(chosen.map((name): [string, Judged[]] => [name, []]));
  for (const group of groups.filter((each) => each.some((name) => name.includes(values.only)))) {
    const own = sets.filter(({ name }) => group.includes(name));
    const ownCopies = chosen.flatMap((kind) =>
      (copies.get(kind) ?? []).filter(({ name }) => group.includes(name)).map((set) => ({ kind, set })),
    );
    const models = values.shipped ? joinModels : fitWithout(group, [...own, ...ownCopies.map(({ set }) => set)]);
    for (const set of own) judged.push(await judgeDataSet(set, models));
    for (const { kind, set } of ownCopies) perturbed.get(kind)?.push(await judgeDataSet(set, models));
  }
  judged.sort((a, b) => a.name.localeCompare(b.name));
  printScores(judged);
  for (const [name, results] of perturbed) printMeans(name, results);
  printCalibration(judged);
  if (values.errors) listErrors(judged);
  if (values.answers !== undefined) writeAnswers(judged, values.answers);
}

function chosenPerturbations(): readonly string[] {
  const known = Object.keys(perturbations);
  return values.perturb.includes("all") ? known : known.filter((name) => values.perturb.includes(name));
}

/** Fits only the models that the judged data sets need. */
function fitWithout(group: readonly string[], judged: readonly DataSet[]): JoinModelSets {
  const few = judged.map(({ candidates }) => hasFewNames(candidates.schema));
  const isOther = (name: string) => !group.includes(name);
  return {
    named: few.includes(false) ? training.fitNamed(isOther) : joinModels.named,
    unnamed: few.includes(true) ? training.fitUnnamed(isOther) : joinModels.unnamed,
  };
}

function writeAnswers(judged: readonly Judged[], target: string): void {
  for (const { name, found } of judged) {
    const answers = { primaryKeys: found.keys, foreignKeys: found.links };
    writeFileSync(join(target, `${name}.json`), JSON.stringify(answers));
  }
}
