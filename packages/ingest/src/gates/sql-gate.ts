import type { Gate } from "./gate.ts";

/**
 * A part of a metric model compiles, and runs against the warehouse. What a parser reads is checked with all other entries of its
 * model when files are planned.
 */
export const sqlGate: Gate = {
  name: "sql",
  async check({ candidate: { body, origin }, siblings, signal }, { checkModelPart }) {
    if (body.kind !== "model-part" || origin === "projection") return undefined;
    return checkModelPart?.(body, siblings, signal);
  },
};
