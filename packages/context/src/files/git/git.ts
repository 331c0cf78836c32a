/**
 * Runs git in a folder, without variables that could point it to another repository. The hooks and filters of the repository run as if the
 * user committed, so each use requires the proof that the folder is trusted. Programs that a commit does not need are switched off.
 */
import { relative } from "node:path";
import { readProgram } from "@bridle/core";
import { getErrorMessage, type TrustedFolder } from "@bridle/protocol";

export interface GitPlace {
  readonly projectDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The proof that programs of the repository may run. */
  readonly trusted: TrustedFolder;
}

/** Milliseconds. A hook of the repository may take a while. */
const timeLimit = 30_000;
const maxBuffer = 16_777_216;

/** Programs of a repository that no commit needs. */
const switchedOff = ["core.fsmonitor=false", "core.pager=cat", "diff.external=", "log.showSignature=false"];

export class Git {
  readonly #place: GitPlace;

  constructor(place: GitPlace) {
    this.#place = { ...place, environment: withoutGit(place.environment) };
  }

  /** A path from the folder, with slashes. */
  relative(path: string): string {
    return relative(this.#place.projectDir, path).replaceAll("\\", "/");
  }

  in(folder: string): Git {
    return new Git({ ...this.#place, projectDir: folder });
  }

  async succeeds(...given: string[]): Promise<boolean> {
    return this.run(given).then(
      () => true,
      () => false,
    );
  }

  /** Resolves with the output of git. Git reads `input`, if it is given. */
  async run(given: readonly string[], input?: string): Promise<string> {
    const { projectDir, environment, trusted } = this.#place;
    const words = ["-C", projectDir, ...switchedOff.flatMap((setting) => ["-c", setting]), ...given];
    const options = { env: environment, timeout: timeLimit, maxBuffer, input };
    return readProgram(trusted, ["git", words], options).catch(explain);
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
