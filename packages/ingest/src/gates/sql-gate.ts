import type { Gate } from "./gate.ts";

/** A part of a metric model compiles, and runs against the warehouse. */
export const sqlGate: Gate = {
  name: "sql",
  async check({ candidate: { body }, signal }, { checkModelPart }) {
    return body.kind === "model-part" ? checkModelPart?.(body, signal) : undefined;
  },
};
