/** The output of `bridle context ingest --json`. */
import { ingestReportSchema } from "@bridle/ingest";
import { z } from "zod";

export const ingestedContextSchema = ingestReportSchema.extend({
  /** The proposed changes, as removed and added lines. Only if nothing was written. */
  differences: z.array(z.object({ file: z.string(), difference: z.array(z.string()) })),
});
export type IngestedContext = z.output<typeof ingestedContextSchema>;

/** Files that stay unchanged until a warehouse responds or a user corrects them. */
const unwritten: readonly IngestedContext["fileNotes"][number]["kind"][] = ["unchecked", "unreadable"];

/** Whether everything was read, checked and written, except for facts that wait for a user's decision. */
export function isWholeIngest(report: IngestedContext): boolean {
  const { ended, unfinished, sources, failedFiles, fileNotes, failedQuestions, commitProblem } = report;
  return (
    ended === "complete" &&
    unfinished.length === 0 &&
    sources.every(({ isComplete, problems }) => isComplete && problems.length === 0) &&
    failedFiles.length === 0 &&
    fileNotes.every(({ kind }) => !unwritten.includes(kind)) &&
    failedQuestions.length === 0 &&
    commitProblem === undefined
  );
}
