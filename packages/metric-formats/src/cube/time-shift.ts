import type { TimeSpan } from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import type { CubeModel } from "./cube-model.ts";
import type { CubeNode } from "./cube-node.ts";
import { intervalOf } from "./rolling-window.ts";

/** Returns the offset of a measure with `time_shift`. An offset metric shifts the time that a query groups by. */
export function shiftOf(node: CubeNode, cube: CubeModel): TimeSpan {
  if (!node.isTrue("multi_stage")) refuseImport("time_shift needs multi_stage: true. Add it.");
  const [shift, other] = node.entries("time_shift");
  if (!shift || other) return refuseImport("Several shifts of one measure are not supported. Write one.");
  if (shift.child("name") || shift.child("sql"))
    refuseImport("A named shift of a calendar is not supported. Write its interval.");
  const type = shift.text("type") ?? "prior";
  if (type !== "prior") refuseImport(`A shift of the type ${type} looks ahead, which is not supported. Use prior.`);
  const time = shift.text("time_dimension");
  const times = cube.source.dimensions.filter((each) => each.text("type") === "time");
  if (time !== undefined && (times.length > 1 || !time.endsWith(times[0]?.name ?? "")))
    refuseImport(
      `It shifts ${time} alone, and an offset metric shifts any time that a query groups by. Write an offset metric, and use it with that time.`,
    );
  return intervalOf(shift.text("interval") ?? refuseImport("A shift has no interval. Add it."));
}
