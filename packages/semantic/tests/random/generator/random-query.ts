/** Creates queries over a random world. Most of these queries have an answer. */
import { type TimeGrain, timeGrains } from "../../../src/expressions/time-grains.ts";
import { weekDays } from "../../../src/query/query-schema.ts";
import { expandNaively } from "../evaluator/naive-leaves.ts";
import { findField } from "../evaluator/naive-paths.ts";
import type { RandomChoices } from "../random-choices.ts";
import type { NaiveFilter, World, WorldQuery } from "../random-world.ts";
import type { CellKind } from "./random-cells.ts";
import { kindsOfFunctions, randomCondition } from "./random-conditions.ts";

interface Candidate {
  readonly field: string;
  readonly kind: CellKind;
  readonly isMany: boolean;
}
type Dimension = NonNullable<WorldQuery["dimensions"]>[number];

export function randomQuery(choices: RandomChoices, world: World): WorldQuery {
  const measures = randomMeasures(choices, world);
  const leaves = measures.flatMap((name) => expandNaively(world, name).leaves);
  const roots = [...new Set(leaves.map(({ model }) => model.name))];
  const candidates = fieldsFor(world, roots);
  const looksBack = leaves.some(({ behaviour }) => behaviour.kind !== "plain");
  const wantsPeriods = looksBack || choices.chance(15);
  const dimensions = randomDimensions(choices, candidates, wantsPeriods, roots);
  const filters = randomFilters(choices, world, candidates, looksBack);
  const hasPeriod = dimensions.some((each) => typeof each === "object" && "grain" in each);
  const isHourly = dimensions.some((each) => typeof each === "object" && each.grain === "hour");
  const query: WorldQuery = {
    measures,
    dimensions,
    filters,
    having: [],
    ...(choices.chance(35) && { timezone: choices.pick(["Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"]) }),
    ...(choices.chance(20) && { weekStart: choices.pick(weekDays) }),
    ...(hasPeriod && !isHourly && choices.chance(30) && { fillMissing: true }),
    ...(choices.chance(8) && { totals: true }),
  };
  const spine = choices.pick([
    ["2024-01-01", "2024-03-31"],
    ["2023-12-31", "2024-12-31"],
    ["2024-10-20", "2024-11-05"],
  ]);
  // A year has too many hours.
  const [from = "", to = ""] = isHourly ? ["2024-10-20", "2024-11-05"] : spine;
  const withSpine = hasPeriod && (isHourly || choices.chance(15)) ? { ...query, spine: { from, to } } : query;
  const withEmpty = !isHourly && choices.chance(12) ? { ...withSpine, includeEmpty: true } : withSpine;
  return withResult(choices, withEmpty);
}

function randomMeasures(choices: RandomChoices, world: World): string[] {
  const models = [...world.values()];
  const wanted = choices.chance(75) ? models.filter(({ name }) => !name.startsWith("d")) : models;
  const model = choices.pick(wanted);
  const second = choices.chance(30) ? choices.pick(models) : model;
  const namesOf = (each: typeof model) => [...each.measures, ...each.metrics].map(({ name }) => `${each.name}.${name}`);
  return [...new Set([choices.pick(namesOf(model)), ...choices.some(namesOf(second), 2)])];
}

/** Returns fields that every root reaches by only one path. */
function fieldsFor(world: World, roots: readonly string[]): readonly Candidate[] {
  return [...world.values()].flatMap((model) =>
    ["", ...model.joins.map((join) => `${join.name ?? join.to}.`)].flatMap((prefix) => {
      const join = model.joins.find((each) => `${each.name ?? each.to}.` === prefix);
      const owner = join ? world.get(join.to) : model;
      return (owner?.dimensions ?? []).flatMap(({ name }): Candidate[] => {
        const field = `${model.name}.${prefix}${name}`;
        const kind = kindsOfField[name];
        if (!kind) return [];
        try {
          const found = roots.map((root) => findField(world, root, field));
          return [{ field, kind, isMany: found.some(({ path }) => path.some(({ isMany }) => isMany)) }];
        } catch {
          return [];
        }
      });
    }),
  );
}

const kindsOfField: Readonly<Record<string, CellKind>> = {
  label: "label",
  flag: "flag",
  size: "size",
  since: "day",
  band: "label",
  shown: "label",
  status: "label",
  qty: "size",
  amount: "amount",
  big: "big",
  at: "moment",
  due: "day",
  kind: "label",
  line: "size",
  weight: "double",
  month_of_day: "size",
  ...kindsOfFunctions,
  tier: "label",
  score: "size",
  day: "day",
  place: "label",
};

function randomDimensions(
  choices: RandomChoices,
  candidates: readonly Candidate[],
  wantsPeriod: boolean,
  roots: readonly string[],
): Dimension[] {
  const near = candidates.filter(({ isMany }) => !isMany || choices.chance(25));
  const chosen = [...choices.some(near, 2)];
  const times = near.filter(({ kind, isMany }) => (kind === "moment" || kind === "day") && !isMany);
  if (wantsPeriod && roots.length > 1 && roots.every((root) => root.startsWith("f"))) {
    const time = Object.fromEntries(roots.map((root) => [root, `${root}.${choices.pick(["at", "due"])}`]));
    return [
      { time, grain: randomGrain(choices, "day") },
      ...named(
        choices,
        chosen.filter(({ kind }) => kind !== "moment" && kind !== "day"),
      ),
    ];
  }
  const own = times.filter(({ field }) => roots.some((root) => field.startsWith(`${root}.`)));
  const period = wantsPeriod && times.length > 0 ? choices.pick(own.length > 0 ? own : times) : undefined;
  const others = chosen.filter(
    ({ field, kind }) => field !== period?.field && !(wantsPeriod && (kind === "moment" || kind === "day")),
  );
  return [
    ...(period ? [{ field: period.field, as: "period", grain: randomGrain(choices, period.kind) }] : []),
    ...named(choices, others),
  ];
}

function named(choices: RandomChoices, fields: readonly Candidate[]): readonly Dimension[] {
  return fields.map(({ field, kind }, index) => {
    const isTime = (kind === "moment" || kind === "day") && choices.chance(70);
    return { field, as: `k${index}`, ...(isTime && { grain: randomGrain(choices, kind) }) };
  });
}

function randomGrain(choices: RandomChoices, kind: CellKind): TimeGrain {
  return kind === "moment" && choices.chance(15)
    ? "hour"
    : choices.pick(timeGrains.filter((grain) => grain !== "hour"));
}

/**
 * Creates filters. For metrics that read earlier periods, the bounds of times are starts of years, because a year starts within no period
 * except a week.
 */
function randomFilters(
  choices: RandomChoices,
  world: World,
  candidates: readonly Candidate[],
  looksBack: boolean,
): readonly NaiveFilter[] {
  const isTime = ({ kind }: Candidate) => kind === "moment" || kind === "day";
  const plain = candidates.filter((each) => (!looksBack || !isTime(each)) && (!each.isMany || choices.chance(40)));
  const conditions = choices.some(plain, 2).map(({ field, kind }) => randomCondition(choices, field, kind));
  const times = candidates.filter(isTime);
  const isBounded = looksBack && times.length > 0 && choices.chance(25);
  const bound: NaiveFilter[] = isBounded
    ? [{ field: choices.pick(times).field, op: choices.pick([">=", "<"] as const), value: "2024-01-01" }]
    : [];
  const segments = [...world.values()].flatMap((model) =>
    model.segments.map(({ name }) => ({ segment: `${model.name}.${name}` })),
  );
  const reached = segments.filter(({ segment }) =>
    candidates.some(({ field }) => field.startsWith(`${segment.split(".")[0]}.`)),
  );
  const withSegment = reached.length > 0 && choices.chance(10) ? [choices.pick(reached)] : [];
  const joined = joinedConditions(choices, conditions).map((each) => negated(choices, each));
  return [...joined, ...bound, ...withSegment];
}

function joinedConditions(choices: RandomChoices, conditions: readonly NaiveFilter[]): readonly NaiveFilter[] {
  if (conditions.length < 2 || choices.chance(50)) return conditions;
  const isText = choices.chance(40);
  return choices.chance(50) ? [{ or: conditions, isText }] : [{ and: conditions, isText }];
}

/** Writes the negation of a filter as a string. */
function negated(choices: RandomChoices, filter: NaiveFilter): NaiveFilter {
  return "segment" in filter || !choices.chance(12) ? filter : { not: filter, isText: true };
}

/** Adds filters after the aggregation, order and limits. */
function withResult(choices: RandomChoices, query: WorldQuery): WorldQuery {
  const dimensions = (query.dimensions ?? []).flatMap((each) => (typeof each === "object" ? (each.as ?? []) : each));
  const [measure = ""] = query.measures;
  const isCount = /\.(count|kept)$/.test(measure);
  const having: NaiveFilter[] =
    isCount && choices.chance(30) ? [{ field: measure, op: ">", value: choices.int(0, 4) }] : [];
  if (dimensions.length === 0 || choices.chance(60)) return { ...query, having };
  const orderBy = [...choices.some(dimensions, 1), ...(isCount || dimensions.length === 0 ? [measure] : [])].map(
    (field) => ({
      field,
      descending: choices.chance(50),
    }),
  );
  const limit = choices.int(0, 4);
  const [first = ""] = dimensions;
  if (orderBy.length > 0 && choices.chance(40)) return { ...query, having, orderBy, limit, limitPer: [first] };
  const ties = orderBy.length > 0 && choices.chance(50) ? choices.pick(["keep", "cut"] as const) : "cut";
  return { ...query, having, orderBy, limit, ties };
}
