/** What a run of ingest did, for machines and as the base of every other report. */
import { z } from "zod";
import { claimStatuses } from "../claims/claim.ts";
import { guards } from "../curation/wording/compare-wordings.ts";
import { ingestOutcomeSchema } from "../pipeline/ingest-outcome.ts";
import { planNoteKinds, plannedKinds } from "./change-set.ts";

const reportedClaim = z.object({
  id: z.string(),
  /** What it says, in one line. */
  text: z.string(),
  status: z.enum(claimStatuses),
  page: z.string().exactOptional(),
  sources: z.array(z.object({ source: z.string(), item: z.string() })),
});
export type ReportedClaim = z.output<typeof reportedClaim>;

const statements = z.tuple([z.string(), z.string()]);

export const ingestReportSchema = z.object({
  /** What was fetched, asked and refused, with calls, tokens, cost and time of each stage. */
  ...ingestOutcomeSchema.shape,
  /** `planned`: nothing was written. */
  state: z.enum(["applied", "planned", "stopped"]),
  claims: z.record(z.enum(claimStatuses), z.int()),
  added: z.array(reportedClaim),
  /** A document says something else about the same thing than it did. */
  changed: z.array(z.object({ before: z.string(), after: reportedClaim })),
  /** No document says it any more. */
  evicted: z.array(reportedClaim),
  /** It has other sources than before, and stays. */
  resourced: z.array(z.object({ claim: reportedClaim, lost: z.array(z.string()), gained: z.array(z.string()) })),
  /** Retired in this run by a stronger or later claim. */
  superseded: z.array(z.object({ claim: reportedClaim, by: z.array(z.string()), reason: z.string().exactOptional() })),
  /** All that contradict each other, and about which a person has to decide. */
  contested: z.array(z.object({ claims: z.array(reportedClaim).min(2), reason: z.string().exactOptional() })),
  /** Contested before, and settled now. */
  settled: z.array(reportedClaim),
  /** Where a model said something about two statements that they themselves contradict. */
  refused: z.array(z.object({ relation: z.enum(["same", "conflict"]), guard: z.enum(guards), statements })),
  /** Pairs about which a model gave no usable answer. They relate as in the run before; of new ones, both are kept. */
  undecided: z.array(z.object({ question: z.enum(["same", "conflict"]), statements })),
  undecidedTopics: z.array(z.string()),
  failedQuestions: z.array(
    z.object({ stage: z.string(), message: z.string(), isRetryable: z.boolean(), questions: z.int() }),
  ),
  decisions: z.array(
    z.object({ kind: z.enum(["orphaned", "contradicted", "unknown"]), statement: z.string(), message: z.string() }),
  ),
  files: z.array(
    z.object({
      file: z.string(),
      kind: z.enum([...plannedKinds, "record"]),
      change: z.enum(["new", "changed", "removed"]),
    }),
  ),
  failedFiles: z.array(z.object({ file: z.string(), reason: z.string() })),
  /** What people should know about files: what they removed or edited stays so, and what was left out. */
  fileNotes: z.array(z.object({ kind: z.enum(planNoteKinds), file: z.string(), message: z.string() })),
  commit: z.string().exactOptional(),
  commitProblem: z.string().exactOptional(),
});
export type IngestReport = z.output<typeof ingestReportSchema>;
