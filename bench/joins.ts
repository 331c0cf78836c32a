/**
 * Finds keys and links in data sets with known answers, and prints how many are right.
 * `node --conditions=@bridle/source bench/joins.ts FOLDER` judges each data set with models that were fitted without it: a data
 * set and its variants, such as NAME_opaque, count as one. `--only TEXT` judges only data sets with the text in their name.
 * `--shipped` judges with the models of the package instead. `--errors` lists what is wrong or missing. `--answers OUT` writes
 * the answers for each data set as JSON. `--weights` only prints the models that are fitted on all of them.
 * FOLDER has one folder for each data set, with `data.sqlite` and `gold.json`.
 */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findCandidates, judgeCandidates } from "../packages/context/src/joins/find-joins.ts";
import { hasFewNames, type JoinModelSets } from "../packages/context/src/joins/score-candidates.ts";
import { joinModels } from "../packages/context/src/joins/weights.ts";
import { fitModels, fitUnnamed, type Labelled } from "./joins/fit-models.ts";
import { readGold } from "./joins/gold.ts";
import { hideNames } from "./joins/hide-names.ts";
import { type ReadDatabase, readDatabase } from "./joins/read-database.ts";
import { type Judged, listErrors, printCalibration, printScores } from "./joins/report.ts";
import { groupVariants } from "./joins/variants.ts";

const { values, positionals } = parseArgs({
  options: {
    answers: { type: "string" },
    errors: { type: "boolean", default: false },
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

interface DataSet extends Labelled {
  readonly name: string;
  readonly database: ReadDatabase;
  /** How many questions the search for candidates asked. */
  readonly queries: number;
}

const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "gold.json")));
const sets: DataSet[] = [];
for (const name of names) sets.push(await readDataSet(join(folder, name), name));
if (values.weights) console.log(JSON.stringify({ named: fitModels(sets), unnamed: fitUnnamed(sets) }, null, 2));
else await judge();

async function readDataSet(path: string, name: string): Promise<DataSet> {
  const database = readDatabase(join(path, "data.sqlite"));
  const candidates = await findCandidates(database.tables, database.checks);
  const queries = database.countQueries();
  const hidden = hideNames(database);
  const unnamed = await findCandidates(hidden.tables, hidden.checks);
  const original = new Map(database.tables.map(({ id, columns }) => [id, columns.map((column) => column.name)]));
  return { name, gold: readGold(path), database, queries, candidates, unnamed, names: original };
}

async function judge(): Promise<void> {
  const groups = groupVariants(names, (name) => sets.find((set) => set.name === name)?.database.tables ?? []);
  const judged: Judged[] = [];
  for (const group of groups.filter((each) => each.some((name) => name.includes(values.only)))) {
    const others = sets.filter(({ name }) => !group.includes(name));
    const own = sets.filter(({ name }) => group.includes(name));
    const models = values.shipped ? joinModels : fitFor(own, others);
    for (const set of own) judged.push(await judgeDataSet(set, models));
  }
  judged.sort((a, b) => a.name.localeCompare(b.name));
  printScores(judged);
  printCalibration(judged);
  if (values.errors) listErrors(judged);
  if (values.answers !== undefined) writeAnswers(judged, values.answers);
}

/** Fits only the models that the data sets need. */
function fitFor(own: readonly DataSet[], others: readonly DataSet[]): JoinModelSets {
  const few = own.map(({ candidates }) => hasFewNames(candidates.schema));
  const named = few.includes(false) ? fitModels(others) : joinModels.named;
  return { named, unnamed: few.includes(true) ? fitUnnamed(others) : joinModels.unnamed };
}

async function judgeDataSet(set: DataSet, models: JoinModelSets): Promise<Judged> {
  const before = set.database.countQueries();
  const found = await judgeCandidates(set.candidates, models, set.database.checks);
  const queries = set.queries + set.database.countQueries() - before;
  return { name: set.name, gold: set.gold, found, tables: set.database.tables.length, queries };
}

function writeAnswers(judged: readonly Judged[], target: string): void {
  for (const { name, found } of judged) {
    const answers = { primaryKeys: found.keys, foreignKeys: found.links };
    writeFileSync(join(target, `${name}.json`), JSON.stringify(answers));
  }
}
