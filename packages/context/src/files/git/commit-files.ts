import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { getErrorMessage } from "@bridle/protocol";
import { requireTrackedProject } from "./commit-file.ts";
import { Git, type GitPlace } from "./git.ts";

/** The files that a commit may contain. */
export interface CommitPlan {
  /** Absolute paths of files without changes by others. */
  readonly paths: readonly string[];
  /** The tracked files among `paths`. */
  readonly tracked: readonly string[];
  /** The files to leave out, each with the reason. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** Why no commit is possible at all. */
  readonly problem?: string | undefined;
}

/**
 * Finds out, before files are changed, which of them a commit may contain: files in the project's own repository without uncommitted
 * changes. Never rejects: failures are in `problem`.
 */
export async function planCommit(paths: readonly string[], place: GitPlace): Promise<CommitPlan> {
  try {
    const git = await Git.open(place);
    await requireTrackedProject(git, place.projectDir);
    const [ignored, dirty, tracked] = [
      await listed(git, paths, ["check-ignore", "-z", "--stdin"]),
      await changedPaths(git, paths),
      new Set(await trackedPaths(git, paths)),
    ];
    const reasons = paths.map((path) => {
      if (!git.owns(existingFolder(path))) return "The file belongs to another git repository.";
      if (ignored.has(path)) return "git ignores the file.";
      return dirty.has(path) ? "The file had changes that are not committed. Commit them first." : undefined;
    });
    const skipped = paths.flatMap((path, index) =>
      reasons[index] === undefined ? [] : [{ path, reason: reasons[index] }],
    );
    const usable = paths.filter((_, index) => reasons[index] === undefined);
    return { paths: usable, tracked: usable.filter((path) => tracked.has(path)), skipped };
  } catch (error) {
    return { paths: [], tracked: [], skipped: [], problem: getErrorMessage(error) };
  }
}

/** Another program holds the repository's lock. The same commit may succeed later. */
export class RepositoryLockedError extends Error {}

const [tries, betweenTries] = [10, 200];

/**
 * Commits the current state of files, including removed ones, and no other staged or changed files. Returns the commit; undefined if
 * nothing has changed.
 *
 * @throws RepositoryLockedError if another program has held the lock for two seconds; Error with the message of git.
 */
export async function commitFiles(
  paths: readonly string[],
  { tracked }: Pick<CommitPlan, "tracked">,
  message: string,
  place: GitPlace,
): Promise<string | undefined> {
  const git = await Git.open(place);
  const known = new Set(tracked);
  const present = paths.filter((path) => existsSync(path) || known.has(path));
  if (present.length === 0) return undefined;
  const fresh = present.filter((path) => !known.has(path));
  const list = (some: readonly string[]) => some.map((path) => `${path}\0`).join("");
  const read = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  if (fresh.length > 0) await retryLocked(() => git.run(["add", "--intent-to-add", ...read], list(fresh)));
  if (!(await differs(git, present))) return undefined;
  const commit = ["commit", "--quiet", "--only", "--message", message, ...read];
  await retryLocked(() => git.run(["--literal-pathspecs", ...commit], list(present)));
  return (await git.run(["rev-parse", "HEAD"])).trim();
}

async function retryLocked(work: () => Promise<string>): Promise<void> {
  for (let left = tries; ; left -= 1) {
    try {
      await work();
      return;
    } catch (cause) {
      const message = getErrorMessage(cause);
      if (!/\.lock\b/.test(message)) throw cause;
      if (left === 1) throw new RepositoryLockedError(`git has locked the repository: ${message}`, { cause });
      await delay(betweenTries);
    }
  }
}

async function differs(git: Git, paths: readonly string[]): Promise<boolean> {
  return (await changedPaths(git, paths)).size > 0;
}

/** Returns those of the paths that the git command prints. */
async function listed(git: Git, paths: readonly string[], command: readonly string[]): Promise<ReadonlySet<string>> {
  const output = await git.run(command, paths.map((path) => `${path}\0`).join("")).catch(() => "");
  return new Set(output.split("\0").filter((path) => path !== ""));
}

/** The maximum number of paths in one command, because the length of arguments is limited. */
const maxPaths = 200;

async function changedPaths(git: Git, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const names = await namesInRepository(git, paths);
  const changed = new Set<string>();
  for (const some of parts(paths)) {
    const listing = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"];
    const output = await git.run(["--literal-pathspecs", ...listing, "--", ...some]);
    for (const entry of output.split("\0")) if (entry !== "") changed.add(entry.slice(3));
  }
  return new Set(paths.filter((path) => changed.has(names.get(path) ?? "")));
}

async function trackedPaths(git: Git, paths: readonly string[]): Promise<readonly string[]> {
  const names = await namesInRepository(git, paths);
  const tracked = new Set<string>();
  for (const some of parts(paths)) {
    const output = await git.run(["--literal-pathspecs", "ls-files", "-z", "--full-name", "--", ...some]);
    for (const name of output.split("\0")) tracked.add(name);
  }
  return paths.filter((path) => tracked.has(names.get(path) ?? ""));
}

/** Returns the names of paths relative to the top of the repository, as git prints them. */
async function namesInRepository(git: Git, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const prefix = (await git.run(["rev-parse", "--show-prefix"])).replace(/\n$/, "");
  return new Map(paths.map((path) => [path, `${prefix}${git.relative(path)}`]));
}

function parts(paths: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(paths.length / maxPaths) }, (_, index) =>
    paths.slice(index * maxPaths, (index + 1) * maxPaths),
  );
}

function existingFolder(path: string): string {
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}
