import type { Gate } from "./gate.ts";
import { identifiersIn } from "./identifiers-in.ts";
import { namedTables } from "./scope-gate.ts";

/** Requires that table and column names exist: in the scan, in a model, or in the source itself. */
export const identifierGate: Gate = {
  name: "unknown_identifier",
  check({ candidate, wording }, { names }) {
    const { body, evidence } = candidate;
    if (!names.isScanned) return undefined;
    // A metric's description is worth keeping even if its table or column is missing, because a parser, not a model, has read it.
    if (candidate.origin === "projection" && body.kind === "statement") return undefined;
    const isUnknown = (name: string) => names.meaningOf(name, evidence.source) === "unknown";
    const written = identifiersIn(wording, (name) => names.hasHead(name)).find(isUnknown);
    if (written !== undefined)
      return `There is no table or column ${written}. Look it up with search_context, or leave it out.`;
    if (body.kind === "statement") return undefined; // tables that do not exist are removed from the list of a statement
    const missing = namedTables(body).find((name) => names.subjectId(name) === undefined);
    return missing === undefined
      ? undefined
      : `There is no table or column ${missing}, or there are several. Write connection.schema.table, as search_context does.`;
  },
};
