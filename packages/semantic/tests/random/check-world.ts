/** Compares the engines' rows with the naive evaluator's rows, and shrinks cases that differ. */
import { compileMetricQuery } from "../../src/compile/compile-metric-query.ts";
import { ModelSet } from "../../src/models/model-set.ts";
import type { MetricRefusal } from "../../src/refusals/metric-refusal.ts";
import type { Row, TestEngine } from "../engines.ts";
import { columnFacts } from "../table-data.ts";
import { NaiveRefusal } from "./evaluator/naive-paths.ts";
import { answerNaively, totalNaively } from "./evaluator/naive-result.ts";
import { exactText, isReturned, type NaiveValue } from "./evaluator/naive-values.ts";
import { randomWorld } from "./generator/random-models.ts";
import { randomQuery } from "./generator/random-query.ts";
import { isLawful } from "./lawful-refusals.ts";
import { RandomChoices } from "./random-choices.ts";
import { declaredModel, declaredQuery, tableOfWorld, type World, type WorldQuery } from "./random-world.ts";
import { smallerQueries, smallerWorlds } from "./smaller.ts";

export interface RandomFigures {
  answered: number;
  /** The number of refused queries, by reason. */
  readonly refused: Map<string, number>;
}

/** Checks a world. If rows differ, throws an error with the seed, and the smallest world and query that it finds. */
export async function checkWorld(
  engines: readonly TestEngine[],
  seed: number,
  count: number,
  figures: RandomFigures,
): Promise<void> {
  const choices = new RandomChoices(seed);
  const world = randomWorld(choices);
  const models = modelSet(world);
  for (const engine of engines) await loadWorld(engine, world);
  for (let index = 0; index < count; index += 1) {
    const query = randomQuery(choices, world);
    for (const engine of engines) {
      const outcome = await compare(engine, world, models, query);
      if (outcome.kind === "differs") throw new Error(await describe(engine, world, query, seed, index));
      if (engine !== engines[0]) continue;
      if (outcome.kind === "answered") figures.answered += 1;
      else figures.refused.set(outcome.reason, (figures.refused.get(outcome.reason) ?? 0) + 1);
    }
  }
}

type Outcome =
  | { readonly kind: "answered" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "differs"; readonly how: string };

async function compare(engine: TestEngine, world: World, models: ModelSet, query: WorldQuery): Promise<Outcome> {
  const compiled = compileMetricQuery(models, declaredQuery(query), engine.id);
  if (compiled.kind === "refused") return checkRefusal(world, query, compiled.refusal);
  const how =
    (await difference(engine, () => answerNaively(world, query), compiled.sql)) ??
    (compiled.totals && (await difference(engine, () => totalNaively(world, query), compiled.totals.sql)));
  return how === undefined ? { kind: "answered" } : { kind: "differs", how };
}

/** Checks that a refused query has no answer by the laws, or that the reason is known. */
function checkRefusal(world: World, query: WorldQuery, refusal: MetricRefusal): Outcome {
  const rows = attempt(() => answerNaively(world, query));
  const total = query.totals ? attempt(() => totalNaively(world, query)) : undefined;
  const expected = typeof total === "string" ? total : rows;
  if (typeof expected === "string" || isLawful(refusal)) return { kind: "refused", reason: refusal.reason };
  return { kind: "differs", how: `refused: ${refusal.reason}: ${refusal.message}\nexpected\n${written(expected)}` };
}

type Rows = readonly (readonly NaiveValue[])[];

async function difference(engine: TestEngine, answer: () => Rows, sql: string): Promise<string | undefined> {
  const [expected, rows] = [attempt(answer), await run(engine, sql)];
  // SQLite computes decimals with doubles, and raises an error if their digits do not suffice.
  if (engine.id === "sqlite" && typeof rows === "string" && rows.includes("integer overflow")) return undefined;
  const isSame =
    typeof expected !== "string" &&
    typeof rows !== "string" &&
    expected.length === rows.length &&
    expected.every((row, at) => row.every((value, column) => isReturned(value, rows[at]?.[column])));
  return isSame ? undefined : `${engine.id}\nexpected\n${written(expected)}\nreturned\n${written(rows)}\n${sql}`;
}

/** Returns the rows, or the message of a refusal by the laws. */
function attempt(answer: () => Rows): Rows | string {
  try {
    return answer();
  } catch (error) {
    if (error instanceof NaiveRefusal) return `to be refused: ${error.message}`;
    throw error;
  }
}

async function run(engine: TestEngine, sql: string): Promise<readonly Row[] | string> {
  try {
    return await engine.run(sql);
  } catch (error) {
    return `failed: ${error}`;
  }
}

function written(rows: readonly (readonly unknown[])[] | string): string {
  if (typeof rows === "string") return rows;
  const cell = (value: unknown) =>
    value !== null && typeof value === "object" && "digits" in value
      ? exactText(value as Parameters<typeof exactText>[0])
      : value === null
        ? "NULL"
        : JSON.stringify(String(value));
  return rows.map((row) => row.map(cell).join(", ")).join("\n");
}

async function describe(engine: TestEngine, world: World, query: WorldQuery, seed: number, index: number) {
  const differs = async (smaller: World, asked: WorldQuery) => {
    await loadWorld(engine, smaller);
    const outcome = await compare(engine, smaller, modelSet(smaller), asked);
    return outcome.kind === "differs" ? outcome.how : undefined;
  };
  let [small, asked] = [world, query];
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const each of smallerQueries(asked)) {
      if ((await differs(small, each)) === undefined) continue;
      [asked, isSmaller] = [each, true];
      break;
    }
  }
  for (const model of world.keys()) {
    for (const smaller of smallerWorlds(small, model)) {
      const rows = small.get(model)?.rows.length ?? 0;
      const next = smaller(small);
      if ((next.get(model)?.rows.length ?? 0) < rows && (await differs(next, asked)) !== undefined) small = next;
    }
  }
  const how = await differs(small, asked);
  const read = [...small.values()].filter(({ name }) => new RegExp(`t_${name}["\`]`).test(how ?? ""));
  const models = read.map((model) => `${text(declaredModel(model))}\n${text(tableOfWorld(model).rows)}`);
  return `Seed ${seed}, query ${index}: ${text(declaredQuery(asked))}\n${how}\n${models.join("\n")}`;
}

function text(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each));
}

function modelSet(world: World): ModelSet {
  const columns = Object.fromEntries(
    [...world.values()].map((model) => [model.name, columnFacts(tableOfWorld(model))]),
  );
  return new ModelSet([...world.values()].map(declaredModel), { columns });
}

const knownTables = ["d0", "d1", "d2", "d3", "p0", "f0", "f1", "f2", "l0", "b0", "s0"];

async function loadWorld(engine: TestEngine, world: World): Promise<void> {
  for (const name of knownTables) await engine.run(`DROP TABLE IF EXISTS t_${name}`);
  await engine.load([...world.values()].map(tableOfWorld));
}
