/** Runs git in a folder, without variables that could point it to another repository. */
import { execFile } from "node:child_process";
import { relative } from "node:path";
import { promisify } from "node:util";
import { getErrorMessage } from "@bridle/protocol";

interface GitPlace {
  readonly projectDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Milliseconds. A hook of the repository may take a while. */
const timeLimit = 30_000;

/** Output that a call returns, and a way to give it an input first. */
type Running = Promise<string> & { withInput(text: string): Promise<string> };

export class Git {
  readonly #folder: string;
  readonly #environment: Record<string, string | undefined>;

  constructor({ projectDir, environment }: GitPlace) {
    this.#folder = projectDir;
    this.#environment = withoutGit(environment);
  }

  /** A path from the folder, with slashes. */
  relative(path: string): string {
    return relative(this.#folder, path).replaceAll("\\", "/");
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
        running.child.stdin?.on("error", () => {}); // git ended before it read everything; its own error says why
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
