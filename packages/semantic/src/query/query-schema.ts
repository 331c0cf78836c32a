/** A query over the models: measures by dimensions. */
import { z } from "zod";
import { timeGrains } from "../expressions/time-grains.ts";
import { filterSchema, partsOfTime } from "../models/model-schema.ts";

const text = z.string().trim().min(1);

const dimensionOfQuery = z.union([
  text,
  z.strictObject({
    field: text,
    as: text.exactOptional(),
    grain: z.enum(timeGrains).exactOptional(),
    part: z
      .enum(partsOfTime)
      .exactOptional()
      .describe("A number, such as the month from 1 to 12 or the day of the week from Monday, 1."),
  }),
  z.strictObject({
    time: z.record(z.string(), text).describe("The date of each measure or model on a common axis."),
    as: text.exactOptional(),
    grain: z.enum(timeGrains),
    part: z.enum(partsOfTime).exactOptional(),
  }),
]);

const orderOfQuery = z.union([text, z.strictObject({ field: text, descending: z.boolean().exactOptional() })]);

export const weekDays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

export const metricQuerySchema = z.strictObject({
  measures: z.array(z.union([text, z.strictObject({ measure: text, as: text.exactOptional() })])),
  dimensions: z.array(dimensionOfQuery).exactOptional(),
  filters: z.array(filterSchema).exactOptional().describe("Conditions for rows, before the aggregation."),
  having: z.array(filterSchema).exactOptional().describe("Conditions for measures, after the aggregation."),
  orderBy: z.array(orderOfQuery).exactOptional(),
  limit: z.int().nonnegative().exactOptional(),
  limitPer: z.array(text).exactOptional().describe("Dimensions: the limit applies to each of their groups."),
  ties: z
    .enum(["keep", "cut"])
    .exactOptional()
    .describe("Whether to keep rows that are tied with the last one. Default: keep with limitPer, otherwise cut."),
  totals: z.boolean().exactOptional().describe("Also computes the measures over all rows, at their own grain."),
  spine: z
    .union([z.strictObject({ from: text, to: text }), z.strictObject({ field: text })])
    .exactOptional()
    .describe("The first and last day of the periods, or a time of a model with these periods."),
  omitEmpty: z.boolean().exactOptional().describe("Omits periods for which metrics over other periods find no rows."),
  includeEmpty: z.boolean().exactOptional(),
  fillMissing: z.boolean().exactOptional(),
  fillOnce: z
    .boolean()
    .exactOptional()
    .describe("A period without any rows that fillMissing adds has one row, without the other dimensions."),
  timezone: text.exactOptional(),
  weekStart: z.enum(weekDays).exactOptional(),
  via: z
    .union([text, z.array(text)])
    .exactOptional()
    .describe("Joins to use if there are several paths, as model.join."),
});
export type MetricQuery = z.input<typeof metricQuerySchema>;
export type ParsedMetricQuery = z.output<typeof metricQuerySchema>;
