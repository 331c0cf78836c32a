import { decisionsFile } from "../../claims/decisions/decision-schema.ts";
import { type AddedDecisions, addDecisions, readDecisions } from "../../claims/decisions/parse-decisions.ts";
import { type AppliedChanges, type ApplyOptions, applyChanges } from "./apply-changes.ts";
import { singleChange } from "./single-change.ts";

/**
 * Writes a user's decisions. The next run follows them. Rejects like `applyChanges`.
 *
 * @example await decide({ pins: [{ statement: "Retention is a share of riders.", by: "Ann", at: "2026-03-04" }] }, options);
 */
export async function decide(
  added: AddedDecisions,
  options: Omit<ApplyOptions, "planAgain" | "reason">,
): Promise<AppliedChanges> {
  const plan = async () => {
    const { text } = readDecisions(options);
    const subjects = [...(added.pins ?? []), ...(added.removed ?? [])].map(({ statement }) => statement ?? "");
    const changes = [...subjects, ...(added.both ?? []).map(({ statements }) => statements.join(" / "))].map(
      (subject) => {
        return { subject, kind: "decision", after: JSON.stringify("decided") };
      },
    );
    const after = addDecisions(text, added);
    return singleChange(options.projectDir, {
      file: decisionsFile,
      kind: "decisions",
      before: text === "" ? undefined : text,
      after,
      changes,
    });
  };
  return applyChanges(await plan(), { ...options, author: "person", reason: "decided by a person", planAgain: plan });
}
