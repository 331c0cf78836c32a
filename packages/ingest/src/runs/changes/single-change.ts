import { readDecisions } from "../../claims/decisions/parse-decisions.ts";
import type { ChangeSet, PlannedFile } from "../../rendering/change-set.ts";
import { parseWritten, writtenFile } from "../../rendering/written-record.ts";
import { readIfThere } from "./read-project.ts";

/** Creates a change set for files that are not rendered from claims, such as a user's decisions. */
export function singleChange(projectDir: string, ...files: readonly PlannedFile[]): ChangeSet {
  const writtenText = readIfThere(projectDir, writtenFile) ?? "";
  const written = parseWritten(writtenText).files;
  return {
    files: files.filter(({ before, after }) => before !== after),
    claims: [],
    written,
    writtenBefore: written,
    writtenText,
    notes: [],
    decisionNotes: [],
    decisionsText: readDecisions({ projectDir }).text,
  };
}
