import type { Gate } from "./gate.ts";

/** Requires the same number of columns on both sides of a join. Requires that the data support the join, unless a tool declares it. */
export const joinGate: Gate = {
  name: "join",
  async check({ candidate: { body, origin }, signal }, { checkJoin }) {
    if (body.kind !== "join") return undefined;
    if (body.from.length !== body.to.length) return "It has another number of columns on each side. Pair them.";
    const tableOf = (column: string) => column.slice(0, column.lastIndexOf("."));
    for (const side of [body.from, body.to]) {
      if (new Set(side.map(tableOf)).size > 1)
        return "The columns of one side belong to several tables. Name those of one.";
    }
    return origin === "projection" ? undefined : checkJoin?.(body, signal);
  },
};
