import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Git, type GitPlace } from "./git.ts";

export interface CommitRequest extends GitPlace {
  /** The absolute path. */
  readonly path: string;
  /** The text before the change; undefined if the file is new. */
  readonly before: string | undefined;
  readonly message: string;
}

/**
 * Commits one file, and no other staged or changed files. Returns the commit.
 *
 * @throws Error with the reason: the project is not in the repository, or somebody else has changed the file.
 */
export async function commitFile(request: CommitRequest): Promise<string> {
  const git = await Git.open(request);
  await requireOwnRepository(git, request);
  await requireCleanBefore(git, request);
  await git.run(["add", "--intent-to-add", "--", request.path]);
  await git.run(["commit", "--quiet", "--only", "--message", request.message, "--", request.path]);
  return (await git.run(["rev-parse", "HEAD"])).trim();
}

async function requireOwnRepository(git: Git, { projectDir, path }: CommitRequest): Promise<void> {
  await requireTrackedProject(git, projectDir);
  if (!git.owns(dirname(path))) throw new Error("The file belongs to another git repository.");
  if (await git.succeeds("check-ignore", "--quiet", "--", path)) throw new Error("git ignores the file.");
}

/** Throws unless the repository tracks the project's `bridle.yaml`. */
export async function requireTrackedProject(git: Git, projectDir: string): Promise<void> {
  const isOwn = await git.succeeds("ls-files", "--error-unmatch", "--", join(projectDir, "bridle.yaml"));
  if (!isOwn) throw new Error("bridle.yaml is not in the git repository of its folder. Commit it first.");
}

async function requireCleanBefore(git: Git, { path, before }: CommitRequest): Promise<void> {
  const name = git.fromTop(join(realpathSync(dirname(path)), basename(path)));
  const committed = await git.run(["rev-parse", "--verify", "--quiet", `HEAD:${name}`]).catch(() => undefined);
  const previous = before === undefined ? undefined : await git.run(["hash-object", "--path", path, "--stdin"], before);
  const isStaged = committed !== undefined && !(await git.succeeds("diff", "--cached", "--quiet", "--", path));
  if (committed?.trim() !== previous?.trim() || isStaged) {
    throw new Error("The file had changes that are not committed. Commit them first.");
  }
}
