/** Does the second half of a run: turns candidates into claims, and claims into files. */
import type { ChangeFilesOptions } from "@bridle/context";
import type { CheckedCandidate } from "../../claims/checked-candidate.ts";
import type { Claim } from "../../claims/claim.ts";
import { readDecisions } from "../../claims/decisions/parse-decisions.ts";
import { type CuratedClaims, curateClaims } from "../../curation/curate-claims.ts";
import type { ChangeSet, PlannedFile } from "../../rendering/change-set.ts";
import type { CheckModels } from "../../rendering/models/check-models.ts";
import type { FinishedReading } from "../ingest-options.ts";
import { type AppliedChanges, applyChanges, finishChanges } from "./apply-changes.ts";
import { planChanges, readPagePlaces } from "./plan-changes.ts";

export interface WriteOptions extends ChangeFilesOptions {
  /** With `plan`, nothing is written. */
  readonly mode: "apply" | "plan";
  /** The reason for the list of changes and the commit, such as `ingest: notion`. */
  readonly reason: string;
  /** Runs measures against the warehouse. If missing, no model is written. */
  readonly check?: CheckModels | undefined;
  /** Asks the user about each file. Default: all files are written. */
  readonly choose?: ((file: PlannedFile) => Promise<boolean>) | undefined;
}

export interface WrittenKnowledge {
  readonly curated: CuratedClaims;
  readonly changeSet: ChangeSet;
  /** Missing if nothing had to be written. */
  readonly applied?: AppliedChanges | undefined;
  /** The claims of the previous run. */
  readonly before: readonly Claim[];
}

/**
 * Turns the candidates of a run into claims, and writes pages, models and notes about tables. Call it in the `finish` function that you
 * pass to `ingest`.
 *
 * @throws ConfigError if the decisions file is wrong or cannot be read; StoreBusyError; IngestStoreError; the warehouse's BridleError.
 */
export async function writeKnowledge(
  candidates: readonly CheckedCandidate[],
  run: FinishedReading,
  options: WriteOptions,
): Promise<WrittenKnowledge> {
  const { store, models, answers, concurrency, removeSecrets, signal } = run;
  const { projectDir, mode, choose } = options;
  if (mode === "apply") await finishChanges(options);
  const before = store.claims.list();
  const curated = await curateClaims(candidates, {
    models,
    answers,
    concurrency,
    removeSecrets,
    signal,
    decisions: readDecisions({ projectDir }).decisions,
    pages: readPagePlaces(projectDir).topics,
    previous: before,
    onStored: (stage, questions) => models.spending.addStored(stage, questions),
  });
  const plan = () =>
    planChanges(curated, { projectDir, signal, previous: before, check: options.check, now: options.now });
  const planned = await plan();
  if (mode === "plan") return { curated, changeSet: planned, before };
  const refused = await findRefused(planned, choose);
  const planAgain = async () => withoutFiles(await plan(), refused);
  const applied = await applyChanges(withoutFiles(planned, refused), { ...options, planAgain });
  store.claims.replace(applied.changeSet.claims, options.now?.() ?? new Date());
  return { curated, changeSet: applied.changeSet, applied, before };
}

async function findRefused({ files }: ChangeSet, choose: WriteOptions["choose"]): Promise<ReadonlySet<string>> {
  const refused = new Set<string>();
  if (choose !== undefined) for (const file of files) if (!(await choose(file))) refused.add(file.file);
  return refused;
}

/** Removes refused files from a change set. Such files stay unchanged and keep their entries in the record. */
function withoutFiles(changeSet: ChangeSet, refused: ReadonlySet<string>): ChangeSet {
  if (refused.size === 0) return changeSet;
  const written = new Map(changeSet.written);
  for (const file of refused) {
    const before = changeSet.writtenBefore.get(file);
    if (before === undefined) written.delete(file);
    else written.set(file, before);
  }
  return { ...changeSet, written, files: changeSet.files.filter(({ file }) => !refused.has(file)) };
}
