import type { Gate } from "./gate.ts";

/**
 * Requires that a part of a metric model compiles and runs against the warehouse. Parts from a parser are checked later, with all other
 * entries of their model, when files are planned.
 */
export const sqlGate: Gate = {
  name: "sql",
  async check({ candidate: { body, origin }, siblings, signal }, { checkModelPart }) {
    if (body.kind !== "model-part" || origin === "projection") return undefined;
    return checkModelPart?.(body, siblings, signal);
  },
};
