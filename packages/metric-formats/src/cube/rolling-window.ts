/** Converts rolling windows that end with the period of a row. */

import { type ModelMetric, timeGrains } from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import type { CubeNode } from "./cube-node.ts";

type Cumulative = Extract<ModelMetric, { type: "cumulative" }>;

interface RollingSpan {
  readonly span: Pick<Cumulative, "window" | "grain_to_date">;
  /** A note about windows that consist of months. */
  readonly note: string | undefined;
}

const keys = ["type", "trailing", "leading", "offset", "granularity"];
const toDate: Readonly<Record<string, string>> = {
  year_to_date: "year",
  quarter_to_date: "quarter",
  month_to_date: "month",
};

export function spanBehind(window: CubeNode): RollingSpan {
  const unknown = window.keys.find((key) => !keys.includes(key));
  if (unknown !== undefined) refuseImport(`The key "${unknown}" of a rolling window is not known. Remove it.`);
  const type = window.text("type") ?? "fixed";
  const grain = type === "to_date" ? (window.text("granularity") ?? "") : toDate[type];
  if (grain !== undefined) {
    const found = timeGrains.find((each) => each === grain);
    return found
      ? { span: { grain_to_date: found }, note: undefined }
      : refuseImport(`A window to date by "${grain}" is not supported.`);
  }
  if (type !== "fixed") refuseImport(`The type ${type} of a rolling window is not known. Use fixed or to_date.`);
  if ((window.text("offset") ?? "end") !== "end")
    refuseImport("A window with offset: start ends before its period. Use offset: end.");
  const leading = window.text("leading");
  if (leading !== undefined && !/^0(\s|$)/.test(leading))
    refuseImport("A window that looks ahead is not supported. Remove leading.");
  return trailingSpan(window.text("trailing"));
}

function trailingSpan(trailing: string | undefined): RollingSpan {
  if (trailing === undefined) return refuseImport("A window without trailing is one period. Use the measure alone.");
  if (trailing === "unbounded") return { span: {}, note: undefined };
  const { count, grain } = intervalOf(trailing);
  const isCalendar = grain === "month" || grain === "quarter" || grain === "year";
  const note = `By ${grain}, the window is whole periods. In Cube it begins on the same day of an earlier ${grain}.`;
  return { span: { window: { count, grain } }, note: isCalendar ? note : undefined };
}

/** Parses an interval such as `7 days`. Throws an ImportRefusalError for other strings. */
export function intervalOf(text: string): { readonly count: number; readonly grain: (typeof timeGrains)[number] } {
  const [, count, unit] = /^\s*(\d+)\s+([a-z]+?)s?\s*$/i.exec(text) ?? [];
  const grain = timeGrains.find((each) => each === unit?.toLowerCase());
  if (count === undefined || Number(count) < 1 || !grain)
    return refuseImport(`The interval "${text}" is not supported. Write a number of ${timeGrains.join(", ")}.`);
  return { count: Number(count), grain };
}
