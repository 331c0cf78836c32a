/** Creates star and snowflake schemas with their rows. */

import { functionsOfRows, type RowFunction } from "../evaluator/naive-functions.ts";
import { exact, identityOf, type NaiveValue } from "../evaluator/naive-values.ts";
import type { RandomChoices } from "../random-choices.ts";
import type { World, WorldModel, WorldRow } from "../random-world.ts";
import { type ColumnKinds, dirtyTexts, randomCells, typesOf } from "./random-cells.ts";
import { crossMetric, measuresOfFact, withConversions, withMeasuresOfDimension } from "./random-measures.ts";

type Draft = { -readonly [Part in keyof WorldModel]: WorldModel[Part] };

export function randomWorld(choices: RandomChoices): World {
  const models: Draft[] = [];
  const dimensions = choices.int(2, 4);
  for (let index = 0; index < dimensions; index += 1) models.push(dimensionTable(choices, `d${index}`, models));
  const parents = [...models];
  if (choices.chance(40)) models.push(oneToOne(choices, choices.pick(parents)));
  const facts = choices.int(1, 3);
  for (let index = 0; index < facts; index += 1) models.push(factTable(choices, `f${index}`, parents));
  const fact = models.find(({ name }) => name === "f0");
  if (fact && choices.chance(60)) models.push(lineTable(choices, fact, parents));
  const [one, two] = models.filter(({ name }) => name.startsWith("f"));
  if (one && two) crossMetric(choices, one, two);
  for (const each of models.filter(({ time }) => time !== undefined))
    withConversions(choices, each, choices.pick(models.filter(({ time }) => time !== undefined)));
  if (choices.chance(50)) models.push(bridgeTable(choices, parents.length > 1 ? parents.slice(0, 2) : parents));
  if (choices.chance(40)) models.push(stockTable(choices, choices.pick(parents)));
  return new Map(models.map((model) => [model.name, model]));
}

function draft(name: string, kinds: ColumnKinds): Draft {
  return {
    name,
    key: ["id"],
    columns: typesOf(kinds),
    rows: [],
    joins: [],
    measures: [],
    metrics: [],
    segments: [],
    dimensions: [],
  };
}

const dimensionKinds = { label: "label", flag: "flag", size: "size", since: "day" } as const;

function dimensionTable(choices: RandomChoices, name: string, others: readonly Draft[]): Draft {
  const model = draft(name, dimensionKinds);
  const isComposite = choices.chance(25);
  model.key = isComposite ? ["ka", "kb"] : ["id"];
  const keys = isComposite
    ? dirtyTexts.slice(0, 5).flatMap((ka) => [1, 2].map((kb) => ({ ka, kb: exact(kb) })))
    : Array.from({ length: 9 }, (_, id) => ({ id: exact(id + 1) }));
  const rows = keys
    .filter(() => choices.chance(75))
    .map((key) => ({ ...key, ...randomCells(choices, dimensionKinds) }));
  model.columns = { ...keyColumns(model), ...model.columns };
  model.rows = rows;
  model.dimensions = [
    { name: "label" },
    { name: "flag" },
    { name: "size" },
    { name: "since", type: "date" } as const,
    ...(choices.chance(50) ? [{ name: "band", expr: "CASE WHEN size > 2 THEN 'large' ELSE 'small' END" }] : []),
    ...(choices.chance(30) ? [{ name: "shown", expr: "coalesce(label, '')" }] : []),
  ];
  const parent = others.length > 0 && choices.chance(60) ? choices.pick(others) : undefined;
  if (parent) addReference(choices, model, parent, parent.name);
  if (choices.chance(30)) addReference(choices, model, model, "boss");
  withMeasuresOfDimension(choices, model);
  return model;
}

function keyColumns({ key }: Pick<Draft, "key">): WorldModel["columns"] {
  return Object.fromEntries(key.map((column) => [column, column === "ka" ? "text" : "integer"]));
}

/** Gives each row the key of a row of the other model, a key without a row, or NULL, and declares the join on one of the sides. */
function addReference(choices: RandomChoices, model: Draft, to: Draft, name: string): void {
  const columns = to.key.map((column) => `${name}_${column}`);
  model.columns = {
    ...model.columns,
    ...Object.fromEntries(to.key.map((column, at) => [columns[at] ?? column, keyColumns(to)[column] ?? "integer"])),
  };
  const targets = to.rows;
  model.rows = model.rows.map((row) => {
    const found = targets.length > 0 && choices.chance(80) ? choices.pick(targets) : undefined;
    const orphan = choices.chance(50);
    const cells = to.key.map((column, at): [string, NaiveValue] => [
      columns[at] ?? column,
      found?.[column] ?? (orphan ? missingKey(column) : null),
    ]);
    return { ...row, ...Object.fromEntries(cells) };
  });
  const on = to.key.map((column, at): [string, string] => [columns[at] ?? column, column]);
  if (model !== to && choices.chance(15)) {
    const back = on.map(([local, remote]): [string, string] => [remote, local]);
    to.joins = [
      ...to.joins,
      { name: `${model.name}_of_${name}`, to: model.name, on: back, relationship: "one_to_many" },
    ];
  } else model.joins = [...model.joins, { name, to: to.name, on, relationship: "many_to_one" }];
}

function missingKey(column: string): NaiveValue {
  return column === "ka" ? "B" : exact(999);
}

const factKinds: ColumnKinds = {
  status: "label",
  flag: "flag",
  qty: "size",
  amount: "amount",
  fee: "amount",
  big: "big",
  weight: "double",
  happened: "moment",
  due: "day",
};

function factTable(choices: RandomChoices, name: string, parents: readonly Draft[]): Draft {
  const model = draft(name, factKinds);
  const count = choices.chance(5) ? 0 : choices.int(4, 24);
  model.columns = { id: "integer", ...model.columns };
  model.rows = Array.from({ length: count }, (_, id) => ({ id: exact(id + 1), ...randomCells(choices, factKinds) }));
  model.time = choices.chance(80) ? "at" : "due";
  model.dimensions = [
    { name: "status" },
    { name: "flag" },
    { name: "qty" },
    { name: "amount" },
    { name: "big" },
    { name: "at", expr: "happened", type: "time" } as const,
    { name: "due", type: "date" } as const,
    { name: "weight" },
    ...choices.some(functionsOfRows, 6).map(dimensionOfFunction),
    { name: "kind", expr: "CASE WHEN qty > 3 THEN 'many' WHEN amount IS NULL THEN '' END" },
  ];
  for (const parent of parents.filter(() => choices.chance(60))) {
    const isTwice = choices.chance(25);
    addReference(choices, model, parent, isTwice ? `${parent.name}_from` : parent.name);
    if (isTwice) addReference(choices, model, parent, `${parent.name}_to`);
  }
  const ranges = parents.find(({ key }) => key.length === 1);
  if (ranges && choices.chance(30)) addRange(model, ranges);
  measuresOfFact(choices, model);
  return model;
}

function dimensionOfFunction({ name, source, type }: RowFunction): WorldModel["dimensions"][number] {
  return { name, expr: source, ...(type && { type }) };
}

/**
 * Adds a join by ranges: each row of the other model has a range, with a gap before some ranges. The quantity lies in at most one range.
 */
function addRange(model: Draft, to: Draft): void {
  to.columns = { ...to.columns, low: "integer", high: "integer" };
  to.rows = to.rows.map((row, index) => ({
    ...row,
    low: exact(index * 2 - 2),
    high: exact(index * 2 - (index % 3 === 1 ? 1 : 0)),
  }));
  const range = { column: "qty", from: "low", below: "high" };
  model.joins = [...model.joins, { name: "level", to: to.name, on: [], relationship: "many_to_one", range }];
}

const lineKinds = { label: "label", qty: "size", amount: "amount", fee: "amount", flag: "flag" } as const;

/** Creates a table that divides a fact's rows into lines, with a key of two columns. */
function lineTable(choices: RandomChoices, fact: Draft, parents: readonly Draft[]): Draft {
  const model = draft("l0", lineKinds);
  model.key = ["f0_id", "line"];
  model.columns = { f0_id: "integer", line: "integer", ...model.columns };
  model.rows = fact.rows.flatMap((row) =>
    Array.from({ length: choices.int(0, 3) }, (_, line) => {
      const id = choices.chance(8) ? exact(900) : (row.id ?? null);
      return { f0_id: id, line: exact(line + 1), ...randomCells(choices, lineKinds) };
    }),
  );
  model.rows = distinctBy(model.rows, model.key);
  model.joins = [{ name: "f0", to: "f0", on: [["f0_id", "id"]], relationship: "many_to_one" }];
  model.dimensions = [{ name: "label" }, { name: "qty" }, { name: "line" }, { name: "flag" }];
  if (choices.chance(60)) addReference(choices, model, choices.pick(parents), "product");
  measuresOfFact(choices, model);
  return model;
}

function distinctBy(rows: readonly WorldRow[], columns: readonly string[]): readonly WorldRow[] {
  const identity = (row: WorldRow) => JSON.stringify(columns.map((column) => identityOf(row[column] ?? null)));
  return [...new Map(rows.map((row) => [identity(row), row])).values()];
}

function oneToOne(choices: RandomChoices, owner: Draft): Draft {
  const kinds = { tier: "label", score: "size" } as const;
  const model = draft("p0", kinds);
  model.key = owner.key;
  model.columns = { ...keyColumns(owner), ...model.columns };
  const keyOf = (row: WorldRow) => Object.fromEntries(owner.key.map((column) => [column, row[column] ?? null]));
  model.rows = owner.rows
    .filter(() => choices.chance(70))
    .map((row) => ({ ...keyOf(row), ...randomCells(choices, kinds) }));
  model.dimensions = [{ name: "tier" }, { name: "score" }];
  const on = owner.key.map((column): [string, string] => [column, column]);
  if (choices.chance(50)) model.joins = [{ to: owner.name, on, relationship: "one_to_one" }];
  else owner.joins = [...owner.joins, { to: "p0", on, relationship: "one_to_one" }];
  model.measures = [
    { name: "count", agg: "count" },
    { name: "score", agg: "sum" },
  ];
  return model;
}

/** Creates a bridge that links rows of two models many-to-many. */
function bridgeTable(choices: RandomChoices, [left, right = left]: readonly Draft[]): Draft {
  const model = draft("b0", { weight: "size" });
  model.rows = Array.from({ length: choices.int(0, 14) }, () => randomCells(choices, { weight: "size" }));
  model.dimensions = [{ name: "weight" }];
  if (left) addReference(choices, model, left, "left");
  if (right) addReference(choices, model, right, "right");
  const pairs = Object.keys(model.columns).filter((column) => column !== "weight");
  model.rows = distinctBy(
    model.rows.filter((row) => pairs.every((column) => row[column] !== null)),
    pairs,
  );
  model.key = pairs;
  model.measures = [{ name: "count", agg: "count" }];
  return model;
}

/** Creates levels that are measured repeatedly, and must not be added over time. */
function stockTable(choices: RandomChoices, item: Draft): Draft {
  const kinds = { day: "day", level: "amount", place: "label" } as const;
  const model = draft("s0", kinds);
  model.columns = { id: "integer", ...model.columns };
  model.rows = Array.from({ length: choices.int(3, 20) }, (_, id) => ({
    id: exact(id + 1),
    ...randomCells(choices, kinds),
  }));
  model.dimensions = [{ name: "day", type: "time", grain: "day" }, { name: "place" }];
  if (choices.chance(60)) model.dimensions = [...model.dimensions, { name: "month_of_day", expr: "month(day)" }];
  addReference(choices, model, item, item.name);
  const per = [...(choices.chance(60) ? item.key.map((column) => `${item.name}_${column}`) : [])];
  const spec = { time: "day", pick: choices.pick(["first", "last"] as const), ...(per.length > 0 && { per }) };
  model.measures = [
    { name: "level", agg: choices.pick(["sum", "avg", "min", "max"] as const), semi_additive: spec },
    { name: "places", agg: "count_distinct", expr: "place", semi_additive: { ...spec, pick: "last" } },
    {
      name: "some",
      agg: "sum",
      expr: "level",
      semi_additive: spec,
      filters: [{ field: "place", op: "is not null", isText: choices.chance(50) }],
    },
    { name: "count", agg: "count" },
  ];
  return model;
}
