/**
 * Runs git in the repository of a folder, and in no other: neither variables nor files in the folder can point git elsewhere. The
 * repository's hooks and filters run as if the user committed, so each use requires the proof that the folder is trusted. Programs that a
 * commit does not need are switched off.
 */
import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { findGitPrograms, findRepository, isKnownHookFolder, type Repository, readProgram } from "@bridle/core";
import { getErrorMessage, type TrustedFolder } from "@bridle/protocol";

export interface GitPlace {
  readonly projectDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The proof that the repository's programs may run. */
  readonly trusted: TrustedFolder;
}

/** Milliseconds. The repository's hooks may take a while. */
const timeLimit = 30_000;
const maxBuffer = 16_777_216;

/** Settings that switch off programs that no commit needs, and bare repositories inside the project. */
const switchedOff = [
  "core.fsmonitor=false",
  "core.pager=cat",
  "diff.external=",
  "log.showSignature=false",
  "safe.bareRepository=explicit",
];

export class Git {
  readonly #place: GitPlace;
  readonly #repository: Repository;

  private constructor(place: GitPlace, repository: Repository) {
    this.#place = { ...place, environment: withoutGit(place.environment) };
    this.#repository = repository;
  }

  /**
   * Opens the repository that the user trusts: the one with the nearest `.git`.
   *
   * @throws Error with the reason: there is no repository, or git would use another one or refuses this one, for example because of its
   * owner.
   */
  static async open(place: GitPlace): Promise<Git> {
    const repository = findRepository(realpathSync(place.projectDir));
    if (repository === undefined) throw new Error("The project is in no git repository.");
    const git = new Git(place, repository);
    await git.#requireAgreement();
    return git;
  }

  /** Returns a path relative to the project's folder, with slashes. */
  relative(path: string): string {
    return relative(this.#place.projectDir, path).replaceAll("\\", "/");
  }

  /** Returns a path relative to the top of the repository, with slashes. */
  fromTop(path: string): string {
    return relative(this.#repository.root, path).replaceAll("\\", "/");
  }

  /** Whether the files in a folder belong to the repository, and to no other one inside it. */
  owns(folder: string): boolean {
    return findRepository(realpathSync(folder))?.root === this.#repository.root;
  }

  async succeeds(...given: string[]): Promise<boolean> {
    return this.run(given).then(
      () => true,
      () => false,
    );
  }

  /** Resolves with git's output. If `input` is given, git reads it. */
  run(given: readonly string[], input?: string): Promise<string> {
    const { root, gitFolder } = this.#repository;
    const variables = { ...this.#place.environment, GIT_DIR: gitFolder, GIT_WORK_TREE: root };
    return this.#start(["-C", this.#place.projectDir], variables, given, input);
  }

  /**
   * Throws unless git, whose rules for finding repositories differ, uses this repository at its top, and only hooks that the trust covers.
   */
  async #requireAgreement(): Promise<void> {
    const { root, gitFolder } = this.#repository;
    const { environment } = this.#place;
    const words = ["rev-parse", "--absolute-git-dir", "--show-toplevel", "--git-path", "hooks"];
    const output = await this.#start(["-C", root], environment, words);
    const [folder = "", top = "", hooks = "", ...more] = output.replace(/\n$/, "").split("\n");
    if (more.length > 0 || !isSame(folder, gitFolder) || !isSame(top, root))
      throw new Error(`git uses another repository or work tree in ${root} than the .git there. Check core.worktree.`);
    const hookFolder = isAbsolute(hooks) ? hooks : `${root}/${hooks}`; // follows links before `..`, as the system does
    if (!isKnownHookFolder(hookFolder, this.#repository, findGitPrograms(this.#repository, environment)))
      throw new Error(`git runs the hooks in ${hooks}, which no trust is for. Set core.hooksPath in the repository.`);
  }

  #start(
    place: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
    given: readonly string[],
    input?: string,
  ): Promise<string> {
    const words = [...place, ...switchedOff.flatMap((setting) => ["-c", setting]), ...given];
    const options = { env, timeout: timeLimit, maxBuffer, input };
    return readProgram(this.#place.trusted, ["git", words], options).catch(explain);
  }
}

function isSame(path: string, other: string): boolean {
  return realpathSync(resolve(path)) === realpathSync(other);
}

function explain(error: unknown): never {
  const said = typeof error === "object" && error !== null && "stderr" in error ? String(error.stderr).trim() : "";
  throw new Error(said.split("\n")[0] || getErrorMessage(error), { cause: error });
}

/** Returns the environment without variables that could point git to another repository. */
function withoutGit(environment: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const kept = Object.entries(environment).filter(([name]) => !/^GIT_(?!AUTHOR_|COMMITTER_|CONFIG_)/.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: "C", GIT_TERMINAL_PROMPT: "0" };
}
