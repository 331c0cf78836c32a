import { ConfigError } from "@bridle/protocol";
import { formatContextProblem } from "./file-problem.ts";
import type { NotesOfFiles } from "./table-notes.ts";

/** Throws ConfigError if errors in a file of the connection may keep it from hiding tables or masking columns. */
export function refuseUnprotected(connection: string, notes: NotesOfFiles | undefined): void {
  const found = notes?.unprotected?.find((each) => each.connection === connection);
  if (found === undefined) return;
  const why = `The file may hide tables or mark columns as sensitive, so nothing is read from ${connection} until it is corrected.`;
  throw new ConfigError(`${formatContextProblem(found.problem)} ${why}`, { field: "context/tables" });
}
