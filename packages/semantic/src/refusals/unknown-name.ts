import { nearest, suggestion } from "@bridle/protocol";
import { refuseMetric } from "./metric-refusal.ts";

/** Refuses an unknown name, and suggests the nearest existing names. */
export function refuseUnknown(what: string, name: string, candidates: Iterable<string>): never {
  const names = [...candidates];
  const hint =
    suggestion(name, names) || (names.length > 0 && names.length <= 12 ? ` Known: ${names.join(", ")}.` : "");
  return refuseMetric("unknown_name", `There is no ${what} "${name}".${hint}`, { nearest: nearest(name, names) });
}
