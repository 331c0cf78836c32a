/** What `bridle context ingest --json` prints. */
import { ingestReportSchema } from "@bridle/ingest";
import { z } from "zod";

export const ingestedContextSchema = ingestReportSchema.extend({
  /** What would be written, as lines that are removed and added. Only if nothing was written. */
  differences: z.array(z.object({ file: z.string(), difference: z.array(z.string()) })),
});
export type IngestedContext = z.output<typeof ingestedContextSchema>;

/** Files that stay as they are until a warehouse answers, or a person corrects them. */
const unwritten: readonly IngestedContext["fileNotes"][number]["kind"][] = ["unchecked", "unreadable"];

/** Whether everything was read, asked and written. Facts that wait for a person do not count. */
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
