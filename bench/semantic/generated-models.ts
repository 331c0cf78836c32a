/**
 * Generates the models of a warehouse: six in ten are facts. Dimensions are in layers, and those of one layer join some dimensions of the
 * next layer.
 */
import { type MetricQuery, ModelSet, semanticModelSchema } from "../../packages/semantic/src/index.ts";

export function generateModels(count: number): ModelSet {
  const facts = Math.round(count * 0.6);
  const dimensions = count - facts;
  const models = [
    ...Array.from({ length: facts }, (_, index) => factModel(index, dimensions)),
    ...Array.from({ length: dimensions }, (_, index) => dimensionModel(index, dimensions)),
  ];
  return new ModelSet(models.map((model) => semanticModelSchema.parse(model)));
}

const numbers = Array.from({ length: 10 }, (_, index) => index);

function joinTo(dimension: number) {
  return { to: `d${dimension}`, on: [[`d${dimension}_id`, "id"]], relationship: "many_to_one" };
}

function factModel(index: number, dimensions: number) {
  const joined = new Set([0, 1, 2, 3].map((step) => (index * 7 + step * 5) % dimensions));
  return {
    name: `f${index}`,
    table: `main.f${index}`,
    primary_key: ["id"],
    default_time: "at",
    joins: [...joined].map(joinTo),
    dimensions: [{ name: "at", type: "time" }, ...numbers.map((number) => ({ name: `x${number}` }))],
    measures: [
      { name: "count", agg: "count" },
      ...numbers.map((number) => ({ name: `sum${number}`, agg: "sum", expr: `y${number} * z` })),
    ],
    metrics: [
      { type: "ratio", name: "rate", numerator: "sum1", denominator: "count" },
      { type: "cumulative", name: "running", measure: "sum2" },
    ],
  };
}

function dimensionModel(index: number, dimensions: number) {
  const next = [index + 11, index + 13].filter((each) => each < dimensions);
  return {
    name: `d${index}`,
    table: `main.d${index}`,
    primary_key: ["id"],
    joins: next.map(joinTo),
    dimensions: numbers.map((number) => ({ name: `name${number}` })),
  };
}

/**
 * Queries that are answered: over one or two models, with filters and dimensions over one or two joins, with periods, or for the best
 * groups.
 */
export function generateQueries(count: number): readonly MetricQuery[] {
  const dimensions = count - Math.round(count * 0.6);
  return [0, 3, 11, 24].flatMap((index): readonly MetricQuery[] => {
    const first = (index * 7) % dimensions;
    const near = `f${index}.d${first}`;
    const far = first + 11 < dimensions ? `${near}.d${first + 11}` : near;
    const month = { field: `f${index}.at`, grain: "month" } as const;
    return [
      {
        measures: [`f${index}.count`, `f${index}.rate`],
        dimensions: [`${near}.name1`],
        filters: [`${near}.name2 = 'x'`],
      },
      { measures: [`f${index}.sum3`, `f${index + 1}.sum3`] },
      { measures: [`f${index}.running`], dimensions: [month, `${near}.name3`] },
      { measures: [`f${index}.count`], dimensions: [`${far}.name1`], filters: [`f${index}.x1 = 1`] },
      {
        measures: [`f${index}.sum4`],
        dimensions: [`${near}.name4`, `f${index}.x2`],
        having: [`f${index}.count > 5`],
        orderBy: [{ field: `f${index}.sum4`, descending: true }],
        limit: 3,
        limitPer: [`${near}.name4`],
      },
      {
        measures: [`f${index}.sum5`, `f${index}.count`],
        dimensions: [month],
        filters: [`${far}.name5 IN ('a', 'b')`],
        totals: true,
      },
    ];
  });
}

/** Queries that are refused: a wrong measure name, a wrong dimension name, and months of a column that is not a time. */
export function generateRefusedQueries(): readonly MetricQuery[] {
  return [0, 3, 11, 24].flatMap((index): readonly MetricQuery[] => [
    { measures: [`f${index}.cuont`] },
    { measures: [`f${index}.count`], dimensions: [`f${index}.y1`] },
    { measures: [`f${index}.count`], dimensions: [{ field: `f${index}.x1`, grain: "month" }] },
  ]);
}
