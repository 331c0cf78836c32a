/** Reads time spines: tables with a row for each period, and the custom grains in their columns. */

import { type SemanticModel, type TimeGrain, timeGrains } from "@bridle/semantic/model-parts";
import { z } from "zod";
import { type ImportReport, refuseImport } from "../import-report.ts";
import type { LocatedValue } from "../located-value.ts";
import { type MetricFlowOptions, relationTable, substituted } from "./convert-model.ts";

export interface TimeSpine {
  readonly model: SemanticModel;
  readonly column: string;
  readonly grain: TimeGrain;
  /** The columns of custom grains, by grain name. */
  readonly custom: ReadonlyMap<string, string>;
}

const text = z.string().trim().min(1);
const name = text.regex(/^[A-Za-z_]\w*$/, "is not a valid name");
const custom = z
  .array(z.looseObject({ name, column_name: name.nullish() }))
  .nullish()
  .transform((list) => new Map((list ?? []).map((each) => [each.name, each.column_name ?? each.name])));
const relation = z.looseObject({ alias: text, schema_name: text, database: text.exactOptional() });

const legacySpine = z
  .looseObject({ location: text, column_name: name, grain: text })
  .transform(({ location, column_name: column, grain }) => ({ table: location, column, grain, custom: new Map() }));
const ownSpine = z
  .looseObject({
    node_relation: relation,
    primary_column: z.looseObject({ name, time_granularity: text }),
    custom_granularities: custom,
  })
  .transform(({ node_relation: { database, schema_name: schema, alias }, primary_column: primary, ...rest }) => ({
    table: [database, schema, alias].filter((part) => part !== undefined).join("."),
    column: primary.name,
    grain: primary.time_granularity,
    custom: rest.custom_granularities,
  }));
const dbtModel = z.looseObject({
  name,
  time_spine: z.looseObject({ standard_granularity_column: name, custom_granularities: custom }),
  columns: z.array(z.looseObject({ name, granularity: text.exactOptional() })).nullish(),
});

interface ReadSpine {
  readonly table: string;
  readonly column: string;
  readonly grain: string;
  readonly custom: ReadonlyMap<string, string>;
}

/** Reads the spines in all files, each table and grain once. */
export function readTimeSpines(roots: readonly LocatedValue[], options: MetricFlowOptions, report: ImportReport) {
  const spines = new Map<string, TimeSpine>();
  const add = (at: LocatedValue, read: () => ReadSpine | undefined) => {
    const spine = report.attempt(at.subject("time spine"), at.position, () => {
      const found = read();
      return found && spineOf(found);
    });
    if (!spine) return;
    const key = `${spine.model.table} ${spine.grain}`;
    const other = spines.get(key);
    if (!other || other.custom.size < spine.custom.size) spines.set(key, spine);
  };
  for (const root of roots) {
    const project = root.child("project_configuration");
    for (const at of project?.list("time_spines") ?? [])
      add(at, () => withVariables(at.parse(ownSpine, "time spine", report), options));
    for (const at of project?.list("time_spine_table_configurations") ?? [])
      add(at, () => withVariables(at.parse(legacySpine, "time spine", report), options));
    for (const at of root.list("models")) {
      if (at.child("time_spine")) add(at, () => spineOfModel(at, options, report));
    }
  }
  return [...spines.values()];
}

function withVariables(spine: ReadSpine | undefined, options: MetricFlowOptions): ReadSpine | undefined {
  return spine && { ...spine, table: substituted(spine.table, options.variables ?? {}) };
}

function spineOfModel(at: LocatedValue, options: MetricFlowOptions, report: ImportReport): ReadSpine | undefined {
  const model = at.parse(dbtModel, "time spine", report);
  if (!model) return undefined;
  const { standard_granularity_column: column, custom_granularities: own } = model.time_spine;
  const grain = model.columns?.find((each) => each.name === column)?.granularity;
  if (grain === undefined) return refuseImport(`The column ${column} has no granularity. Write one.`);
  return {
    table: relationTable({ name: model.name, model: `ref('${model.name}')` }, options),
    column,
    grain,
    custom: own,
  };
}

function spineOf({ table, column, grain: name, custom: own }: ReadSpine): TimeSpine {
  const grain = timeGrains.find((each) => each === name.toLowerCase());
  if (!grain) return refuseImport(`The grain ${name} of a time spine is not supported.`);
  const columns = [...new Set([...own.values()].filter((each) => each !== column))];
  const model: SemanticModel = {
    name: table.split(".").at(-1) ?? table,
    table,
    primary_key: [column],
    dimensions: [{ name: column, type: "time", grain }, ...columns.map((each) => ({ name: each }))],
  };
  return { model, column, grain, custom: own };
}

/** Returns the spine with the coarsest grain that divides the given grain. */
export function spineFor(spines: readonly TimeSpine[], grain: TimeGrain): TimeSpine | undefined {
  const order = (each: TimeGrain) => timeGrains.indexOf(each);
  const fitting = spines.filter(
    (spine) => order(spine.grain) <= order(grain) && (spine.grain !== "week" || grain === "week"),
  );
  return fitting.toSorted((a, b) => order(a.grain) - order(b.grain)).at(-1);
}
