/** The machine-readable report of an ingest run, from which all other report formats are made. */
import { z } from "zod";
import { claimStatuses } from "../../claims/claim.ts";
import { guards } from "../../claims/wording/compare-wordings.ts";
import { planNoteKinds, plannedKinds } from "../../rendering/change-set.ts";
import { ingestOutcomeSchema } from "../ingest-outcome.ts";

const reportedClaim = z.object({
  id: z.string(),
  /** The text of the claim in one line. */
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
  /** Claims whose document now makes a different statement about the same subject. */
  changed: z.array(z.object({ before: z.string(), after: reportedClaim })),
  /** Claims that no document supports any longer. */
  evicted: z.array(reportedClaim),
  /** Claims that stay although their sources changed. */
  resourced: z.array(z.object({ claim: reportedClaim, lost: z.array(z.string()), gained: z.array(z.string()) })),
  /** Claims that a stronger or later claim retired in this run. */
  superseded: z.array(z.object({ claim: reportedClaim, by: z.array(z.string()), reason: z.string().exactOptional() })),
  /** Claims that contradict each other. A user has to decide between them. */
  contested: z.array(z.object({ claims: z.array(reportedClaim).min(2), reason: z.string().exactOptional() })),
  /** Claims that were contested before and are settled now. */
  settled: z.array(reportedClaim),
  /** Relations that a model reported but that the two statements rule out. */
  refused: z.array(z.object({ relation: z.enum(["same", "conflict"]), guard: z.enum(guards), statements })),
  /** Pairs without a usable answer from a model. They keep the relation from the previous run. Both statements of a new pair are kept. */
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
