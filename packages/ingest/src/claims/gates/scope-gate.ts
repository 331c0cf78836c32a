import type { CandidateBody } from "../../sources/candidate.ts";
import type { Gate } from "./gate.ts";
import { identifiersIn } from "./identifiers-in.ts";

/** Refuses candidates that name a table that agents of this project may not see. */
export const scopeGate: Gate = {
  name: "out_of_scope",
  check({ candidate: { body, evidence }, wording }, { names }) {
    if (body.kind === "model-part" && body.connection !== undefined && names.hidesConnection(body.connection))
      return `Its statement reads the connection ${body.connection}, which may not be read here. Leave it out.`;
    const named = [...identifiersIn(wording, (name) => names.hasHead(name)), ...namedTables(body)];
    const hidden = named.find((name) => names.meaningOf(name, evidence.source) === "hidden");
    return hidden === undefined ? undefined : `It names ${hidden}, which may not be read here. Leave it out.`;
  },
};

/** Returns the tables and columns that a body refers to, as written there. */
export function namedTables(body: CandidateBody): readonly string[] {
  switch (body.kind) {
    case "statement":
      return body.tables;
    case "description":
      return [body.subject];
    case "join":
      return [...body.from, ...body.to];
    case "model-part":
      return body.table === undefined ? [] : [body.table];
  }
}
