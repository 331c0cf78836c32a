/** Models of a warehouse: six in ten are facts. Dimensions are in layers, and those of one layer join some of the next. */
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

export function generateQueries(count: number): readonly MetricQuery[] {
  const dimensions = count - Math.round(count * 0.6);
  return [0, 3, 11, 24].flatMap((index): readonly MetricQuery[] => {
    const near = `d${(index * 7) % dimensions}`;
    const far = `d${dimensions - 1}`;
    return [
      {
        measures: [`f${index}.count`, `f${index}.rate`],
        dimensions: [`${near}.name1`],
        filters: [`${near}.name2 = 'x'`],
      },
      { measures: [`f${index}.sum3`, `f${index + 1}.sum3`], filters: [`f${index}.x1 = 1`] },
      { measures: [`f${index}.running`], dimensions: [{ field: `f${index}.at`, grain: "month" }, `${near}.name3`] },
      { measures: [`f${index}.count`], dimensions: [`${far}.name1`] },
      { measures: [`f${index}.count`], dimensions: [`f${index + 2}.x1`] },
      { measures: ["f1.cuont"], dimensions: ["name1"] },
    ];
  });
}
