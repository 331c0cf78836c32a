/** The report of an ingest run, for machines. All other report formats are made from it. */
import { z } from "zod";
import { claimStatuses } from "../../claims/claim.ts";
import { guards } from "../../claims/wording/compare-wordings.ts";
import { planNoteKinds, plannedKinds } from "../../rendering/change-set.ts";
import { ingestOutcomeSchema } from "../ingest-outcome.ts";

const reportedClaim = z.object({
  id: z.string(),
  /** Its text in one line. */
  text: z.string(),
  status: z.enum(claimStatuses),
  page: z.string().exactOptional(),
  sources: z.array(z.object({ source: z.string(), item: z.string() })),
});
export type ReportedClaim = z.output<typeof reportedClaim>;

const statements = z.tuple([z.string(), z.string()]);

export const ingestReportSchema = z.object({
  /** Fetched items, questions and refusals, with the calls, tokens, cost and time of each stage. */
  ...ingestOutcomeSchema.shape,
  /** `planned`: nothing was written. */
  state: z.enum(["applied", "planned", "stopped"]),
  claims: z.record(z.enum(claimStatuses), z.int()),
  added: z.array(reportedClaim),
  /** A document now makes a different statement about the same subject. */
  changed: z.array(z.object({ before: z.string(), after: reportedClaim })),
  /** No document supports it any longer. */
  evicted: z.array(reportedClaim),
  /** Its sources changed, and it stays. */
  resourced: z.array(z.object({ claim: reportedClaim, lost: z.array(z.string()), gained: z.array(z.string()) })),
  /** Claims that a stronger or later claim retired in this run. */
  superseded: z.array(z.object({ claim: reportedClaim, by: z.array(z.string()), reason: z.string().exactOptional() })),
  /** Claims that contradict each other. A user has to decide between them. */
  contested: z.array(z.object({ claims: z.array(reportedClaim).min(2), reason: z.string().exactOptional() })),
  /** Claims that were contested before and are settled now. */
  settled: z.array(reportedClaim),
  /** Relations that a model reported although the two statements rule them out. */
  refused: z.array(z.object({ relation: z.enum(["same", "conflict"]), guard: z.enum(guards), statements })),
  /** Pairs without a usable answer of a model. They keep the relation of the previous run. Both statements of a new pair are kept. */
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
  /** Notes for users about files: their own removals and edits that stay, and content that was left out. */
  fileNotes: z.array(z.object({ kind: z.enum(planNoteKinds), file: z.string(), message: z.string() })),
  commit: z.string().exactOptional(),
  commitProblem: z.string().exactOptional(),
});
export type IngestReport = z.output<typeof ingestReportSchema>;
