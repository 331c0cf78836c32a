/** Converts conversion metrics: their measures, the entity that links the rows, and the properties that must stay constant. */
import type { ModelMetric } from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import { columnOf } from "./convert-model.ts";
import type { LinkedModel } from "./element-names.ts";
import { handleText, type MetricHandle, spanOf } from "./metric-handle.ts";
import type { SourceInput, SourceMetric } from "./metricflow-schema.ts";
import type { OwnedMeasure } from "./owned-measures.ts";

type Given = NonNullable<SourceMetric["type_params"]["conversion_type_params"]>;

/** A converted input, with the measure that it names. */
export interface ConversionPart {
  readonly handle: MetricHandle;
  readonly owned: OwnedMeasure;
}

/** Returns an input without its fill value, which applies after the conversion. */
export function withoutFill({ fill_nulls_with: _, ...input }: SourceInput): SourceInput {
  if (input.join_to_timespine) refuseImport(`join_to_timespine of ${input.name} in a conversion is not supported.`);
  return input;
}

export function importedConversion(
  name: string,
  given: Given,
  base: ConversionPart,
  conversion: ConversionPart,
  linked: ReadonlyMap<string, LinkedModel>,
): Extract<ModelMetric, { type: "conversion" }> {
  const column = ({ owned }: ConversionPart, property: string) => columnNamed(linked.get(owned.model), property);
  const constant = (given.constant_properties ?? []).map(
    ({ base_property: own, conversion_property: other }): [string, string] => [
      column(base, own),
      column(conversion, other),
    ],
  );
  for (const { owned } of [base, conversion]) requireDefaultTime(owned, linked.get(owned.model));
  return {
    type: "conversion",
    name,
    base: handleText(base.handle),
    conversion: handleText(conversion.handle),
    entity: [column(base, given.entity), column(conversion, given.entity)],
    ...(given.window !== undefined && { window: spanOf(given.window) }),
    ...(constant.length > 0 && { constant }),
    result: given.calculation === "conversions" ? "count" : "rate",
    empty: given.conversion_measure.fill_nulls_with === 0 ? "zero" : "null",
  };
}

function columnNamed(linked: LinkedModel | undefined, name: string): string {
  const entries = [...(linked?.model.entities ?? []), ...(linked?.model.dimensions ?? [])];
  const found = entries.find(({ value }) => value.name === name)?.value;
  const model = linked?.model.source.name;
  return (
    (found && columnOf(found)) ?? refuseImport(`${name} is not a column of ${model}. Add an entity over a column.`)
  );
}

function requireDefaultTime({ measure: { name }, time }: OwnedMeasure, linked: LinkedModel | undefined): void {
  if (time !== linked?.model.source.defaults?.agg_time_dimension)
    refuseImport(`The measure ${name} of a conversion has another time than its model. Give the model that default.`);
}
