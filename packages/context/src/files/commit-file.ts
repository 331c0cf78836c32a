import { execFile } from "node:child_process";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { getErrorMessage } from "@bridle/protocol";

export interface CommitRequest {
  readonly projectDir: string;
  /** Absolute. */
  readonly path: string;
  /** The text before the change; undefined if the file is new. */
  readonly before: string | undefined;
  readonly message: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Milliseconds. A hook of the repository may take a while. */
const timeLimit = 30_000;

/**
 * Commits one file, and nothing else that is staged or changed. Returns the commit.
 *
 * @throws Error with the reason: the project is not in the repository, or somebody else has changed the file.
 */
export async function commitFile(request: CommitRequest): Promise<string> {
  const git = new Git(request);
  await requireOwnRepository(git, request);
  await requireCleanBefore(git, request);
  await git.run("add", "--intent-to-add", "--", request.path);
  await git.run("commit", "--quiet", "--only", "--message", request.message, "--", request.path);
  return (await git.run("rev-parse", "HEAD")).trim();
}

/** The project is in a repository if its `bridle.yaml` is, and if the file is in the same repository. */
async function requireOwnRepository(git: Git, { projectDir, path }: CommitRequest): Promise<void> {
  const top = await git.run("rev-parse", "--show-toplevel").catch(() => undefined);
  if (top === undefined) throw new Error("The project is in no git repository.");
  const isOwn = await git.succeeds("ls-files", "--error-unmatch", "--", join(projectDir, "bridle.yaml"));
  if (!isOwn) throw new Error("bridle.yaml is not in the git repository of its folder. Commit it first.");
  const ofFile = await git.in(dirname(path)).run("rev-parse", "--show-toplevel");
  if (ofFile !== top) throw new Error("The file belongs to another git repository.");
  if (await git.succeeds("check-ignore", "--quiet", "--", path)) throw new Error("git ignores the file.");
}

async function requireCleanBefore(git: Git, { path, before }: CommitRequest): Promise<void> {
  const name = relative((await git.run("rev-parse", "--show-toplevel")).trim(), path).replaceAll("\\", "/");
  const committed = await git.run("rev-parse", "--verify", "--quiet", `HEAD:${name}`).catch(() => undefined);
  const previous =
    before === undefined ? undefined : await git.run("hash-object", "--path", path, "--stdin").withInput(before);
  const isStaged = committed !== undefined && !(await git.succeeds("diff", "--cached", "--quiet", "--", path));
  if (committed?.trim() !== previous?.trim() || isStaged) {
    throw new Error("The file had changes that are not committed. Commit them first.");
  }
}

/** Output that a call returns, and a way to give it an input first. */
type Running = Promise<string> & { withInput(text: string): Promise<string> };

class Git {
  readonly #folder: string;
  readonly #environment: Record<string, string | undefined>;

  constructor({ projectDir, environment }: Pick<CommitRequest, "projectDir" | "environment">) {
    this.#folder = projectDir;
    this.#environment = withoutGit(environment);
  }

  in(folder: string): Git {
    return new Git({ projectDir: folder, environment: this.#environment });
  }

  async succeeds(...given: string[]): Promise<boolean> {
    return this.run(...given).then(
      () => true,
      () => false,
    );
  }

  run(...given: string[]): Running {
    const options = { env: this.#environment, timeout: timeLimit, maxBuffer: 16_777_216 };
    const running = promisify(execFile)("git", ["-C", this.#folder, "-c", "core.fsmonitor=false", ...given], options);
    const output = running.then(({ stdout }) => stdout, explain);
    return Object.assign(output, {
      async withInput(text: string) {
        running.child.stdin?.end(text);
        return output;
      },
    });
  }
}

function explain(error: unknown): never {
  const said = typeof error === "object" && error !== null && "stderr" in error ? String(error.stderr).trim() : "";
  throw new Error(said.split("\n")[0] || getErrorMessage(error), { cause: error });
}

/** Without variables that could point git to another repository. */
function withoutGit(environment: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const kept = Object.entries(environment).filter(([name]) => !/^GIT_(?!AUTHOR_|COMMITTER_|CONFIG_)/.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: "C", GIT_TERMINAL_PROMPT: "0" };
}
