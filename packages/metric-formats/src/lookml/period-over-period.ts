import type { ModelMetric } from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import type { LookmlBlock } from "./lookml-tree.ts";
import type { LookmlView } from "./lookml-view.ts";

const grains = { year: "year", quarter: "quarter", month: "month", week: "week", date: "day" } as const;
const results = { previous: "value", difference: "difference", relative_change: "growth" } as const;

/** Converts a measure of type `period_over_period` to an offset metric, which shifts the time that the query groups by. */
export function periodOverPeriod(block: LookmlBlock, view: LookmlView): ModelMetric {
  const measure =
    ownName(block.text("based_on"), view) ?? refuseImport("It needs based_on with a measure of its own view.");
  if (view.field(measure)?.kind !== "measure")
    refuseImport(`There is no measure ${measure} in ${view.name}. Correct based_on.`);
  const time =
    ownName(block.text("based_on_time"), view) ?? refuseImport("It needs based_on_time with a time of its own view.");
  const field = view.field(time);
  if (field?.kind !== "timeframe" && field?.block.text("type") !== "date")
    refuseImport(`${time} is not a time of ${view.name}. Correct based_on_time.`);
  const times = [...view.groups, ...view.dimensions.filter((each) => /^date/.test(each.text("type") ?? ""))];
  if (times.length > 1)
    refuseImport(
      `Its time is ${time}, and an offset metric shifts any time that a query groups by. Write an offset metric, and use it with that time.`,
    );
  if (block.says("value_to_date")) refuseImport("value_to_date depends on the day of the query. Leave it out.");
  const grain = Object.entries(grains).find(([each]) => each === block.text("period"))?.[1];
  const result = Object.entries(results).find(([each]) => each === (block.text("kind") ?? "previous"))?.[1];
  if (!grain)
    return refuseImport(
      `The period ${block.text("period") ?? ""} is not supported. Use date, week, month, quarter or year.`,
    );
  if (!result)
    return refuseImport(
      `The kind ${block.text("kind") ?? ""} is not known. Use previous, difference or relative_change.`,
    );
  return { type: "offset", name: block.name, measure, offset: { count: 1, grain }, result };
}

function ownName(text: string | undefined, view: LookmlView): string | undefined {
  const [first = "", second, ...more] = text?.split(".") ?? [];
  if (text === undefined || more.length > 0) return undefined;
  return second === undefined ? first : first === view.name ? second : undefined;
}
