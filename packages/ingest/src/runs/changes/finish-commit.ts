import { join, relative } from "node:path";
import { type ChangeFilesOptions, commitFiles, RepositoryLockedError } from "@bridle/context";
import { counted, getErrorMessage } from "@bridle/protocol";
import type { ApplyJournal, JournalEntry } from "./apply-journal.ts";

export interface FinishedCommit {
  readonly commit?: string | undefined;
  readonly problem?: string | undefined;
  /** Whether the same commit may succeed later, so that the journal must be kept. */
  readonly isOpen: boolean;
}

/** The reason if no commit is wanted now, although one was wanted when the changes began. */
const notAsked = "context.commit is not set.";

/** Commits the written files of a journal. Never rejects. */
export async function finishCommit(
  { commit: plan, reason }: ApplyJournal,
  done: readonly JournalEntry[],
  {
    projectDir,
    environment = process.env,
    commit: permission,
  }: Pick<ChangeFilesOptions, "projectDir" | "environment" | "commit">,
): Promise<FinishedCommit> {
  if (plan === undefined || done.length === 0) return { isOpen: false };
  if (permission === undefined) return { problem: notAsked, isOpen: false };
  if (plan.problem !== undefined) return { problem: plan.problem, isOpen: false };
  const allowed = new Set(plan.paths);
  const paths = done.map(({ file }) => join(projectDir, file)).filter((path) => allowed.has(path));
  const skipped = plan.skipped.map(({ path, reason: why }) => `${relative(projectDir, path)}: ${why}`);
  const problem = skipped.length > 0 ? skipped.join(" ") : undefined;
  const message = `Ingest ${counted(paths.length, "file")}\n\n${reason}`;
  try {
    const place = { projectDir, environment, trusted: await permission() };
    return { commit: await commitFiles(paths, plan, message, place), problem, isOpen: false };
  } catch (error) {
    return { problem: getErrorMessage(error), isOpen: error instanceof RepositoryLockedError };
  }
}
