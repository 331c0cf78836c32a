/** A query to the models: measures by dimensions. */
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
  filters: z.array(filterSchema).exactOptional().describe("They hold before the aggregation."),
  having: z.array(filterSchema).exactOptional().describe("They hold after the aggregation, and name measures."),
  orderBy: z.array(orderOfQuery).exactOptional(),
  limit: z.int().nonnegative().exactOptional(),
  limitPer: z.array(text).exactOptional().describe("Dimensions: the limit holds for each of their groups."),
  ties: z
    .enum(["keep", "cut"])
    .exactOptional()
    .describe("Whether rows equal to the last one stay. Default: keep with limitPer, else cut."),
  totals: z.boolean().exactOptional().describe("Also computes the measures over all rows, at their own grain."),
  spine: z
    .union([z.strictObject({ from: text, to: text }), z.strictObject({ field: text })])
    .exactOptional()
    .describe("The first and last day whose periods are there, or a time of a model that has them."),
  omitEmpty: z
    .boolean()
    .exactOptional()
    .describe("Leaves out periods in which metrics that look at other periods find no rows."),
  includeEmpty: z.boolean().exactOptional(),
  fillMissing: z.boolean().exactOptional(),
  fillOnce: z
    .boolean()
    .exactOptional()
    .describe("A period that fillMissing adds has one row, without the other dimensions, if it has no rows at all."),
  timezone: text.exactOptional(),
  weekStart: z.enum(weekDays).exactOptional(),
  via: z
    .union([text, z.array(text)])
    .exactOptional()
    .describe("Joins, as model.join, that decide between paths."),
});
export type MetricQuery = z.input<typeof metricQuerySchema>;
export type ParsedMetricQuery = z.output<typeof metricQuerySchema>;
