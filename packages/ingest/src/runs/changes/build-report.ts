import { omitUndefined } from "@bridle/protocol";
import { type Claim, claimStatuses } from "../../claims/claim.ts";
import { compareClaims } from "../../claims/compare-claims.ts";
import type { CuratedClaims } from "../../curation/curate-claims.ts";
import { describeBody } from "../../provenance/describe-body.ts";
import type { ChangeSet } from "../../rendering/change-set.ts";
import type { IngestOutcome } from "../ingest-outcome.ts";
import type { AppliedChanges } from "./apply-changes.ts";
import type { IngestReport, ReportedClaim } from "./report-schema.ts";

export interface ReportParts {
  readonly outcome: IngestOutcome;
  /** Missing if the run was stopped earlier. */
  readonly curated?: CuratedClaims | undefined;
  readonly changeSet?: ChangeSet | undefined;
  /** Missing if nothing was written. */
  readonly applied?: AppliedChanges | undefined;
  /** The claims of the previous run. */
  readonly before: readonly Claim[];
}

/** Builds the report of a run. Pure. */
export function buildReport({ outcome, curated, changeSet, applied, before }: ReportParts): IngestReport {
  const after = changeSet?.claims ?? before;
  const { added, changed, evicted, resourced, moved } = compareClaims(before, after);
  const byId = new Map(after.map((claim) => [claim.id, claim]));
  const state = changeSet === undefined ? "stopped" : applied === undefined ? "planned" : "applied";
  const fresh = new Set([...added, ...changed.map((pair) => pair.after), ...moved.map(({ claim }) => claim)]);
  return {
    ...outcome,
    state,
    claims: countByStatus(after),
    added: added.map(report),
    evicted: evicted.map(report),
    changed: changed.map((pair) => ({ before: describeBody(pair.before), after: report(pair.after) })),
    resourced: resourced.map(({ claim, lost, gained }) => ({
      claim: report(claim),
      lost: [...lost],
      gained: [...gained],
    })),
    superseded: after
      .filter((claim) => claim.status === "superseded" && fresh.has(claim))
      .map((claim) => reportSuperseded(claim, byId)),
    contested: contestedGroups(after, byId),
    settled: moved
      .filter(({ claim, from }) => from === "contested" && claim.status !== "contested")
      .map(({ claim }) => report(claim)),
    refused: curated?.refused.map((each) => ({ ...each, statements: [...each.statements] })) ?? [],
    undecided: curated?.undecided.map((each) => ({ ...each, statements: [...each.statements] })) ?? [],
    undecidedTopics: [...(curated?.undecidedTopics ?? [])],
    failedQuestions: [...(curated?.failed ?? [])],
    decisions: changeSet?.decisionNotes.map(({ kind, statement, message }) => ({ kind, statement, message })) ?? [],
    ...filesOf(changeSet, applied),
    fileNotes: [...(changeSet?.notes ?? [])],
  };
}

function report(claim: Claim): ReportedClaim {
  const { id, status, page, sources } = claim;
  return omitUndefined({
    id,
    text: describeBody(claim),
    status,
    page,
    sources: sources.map(({ source, item }) => ({ source, item })),
  });
}

function countByStatus(claims: readonly Claim[]): IngestReport["claims"] {
  const counts = Object.groupBy(claims, ({ status }) => status);
  const [current, contested, superseded, removed] = claimStatuses.map((status) => counts[status]?.length ?? 0);
  return { current: current ?? 0, contested: contested ?? 0, superseded: superseded ?? 0, removed: removed ?? 0 };
}

function reportSuperseded(claim: Claim, byId: ReadonlyMap<string, Claim>): IngestReport["superseded"][number] {
  const rivals = claim.conflicts.flatMap((id) => byId.get(id) ?? []);
  const by = rivals.filter(({ status }) => status === "current" || status === "contested").map(describeBody);
  return omitUndefined({ claim: report(claim), by, reason: claim.conflictReason });
}

/** Returns each group of claims that contradictions connect, once. */
function contestedGroups(claims: readonly Claim[], byId: ReadonlyMap<string, Claim>): IngestReport["contested"] {
  const seen = new Set<string>();
  const groups: IngestReport["contested"] = [];
  for (const claim of claims) {
    if (claim.status !== "contested" || seen.has(claim.id)) continue;
    const group = new Set([claim.id]);
    for (const id of group)
      for (const other of byId.get(id)?.conflicts ?? []) if (byId.get(other)?.status === "contested") group.add(other);
    for (const id of group) seen.add(id);
    const members = Array.from(group).flatMap((id) => byId.get(id) ?? []);
    if (members.length > 1) groups.push(omitUndefined({ claims: members.map(report), reason: claim.conflictReason }));
  }
  return groups;
}

function filesOf(
  changeSet: ChangeSet | undefined,
  applied: AppliedChanges | undefined,
): Pick<IngestReport, "files" | "failedFiles" | "commit" | "commitProblem"> {
  const written = new Set(applied?.files);
  const planned = changeSet?.files.filter(({ file }) => applied === undefined || written.has(file)) ?? [];
  const files = planned.map(({ file, kind, before, after }) => {
    return {
      file,
      kind,
      change:
        before === undefined ? ("new" as const) : after === undefined ? ("removed" as const) : ("changed" as const),
    };
  });
  return omitUndefined({
    files,
    failedFiles: [...(applied?.failed ?? [])],
    commit: applied?.commit,
    commitProblem: applied?.commitProblem,
  });
}
