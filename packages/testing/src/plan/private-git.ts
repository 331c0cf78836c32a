/**
 * Runs git on an untrusted repository. The configuration of a repository can name programs that git runs: filters, monitors, hooks, pagers,
 * and files that it includes. Git therefore gets a private repository with the commit, the index, the objects and the files of the
 * untrusted one. Of the untrusted configuration, it only gets settings that control how files are compared.
 */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { commonFolder, type Repository, readProgram, removeOrphanedFolders, temporaryPrefix } from "@bridle/core";
import type { Environment } from "@bridle/project";
import { readGitHead } from "./git-head.ts";

const truth = /^(?:true|false|yes|no|on|off|1|0)?$/i;

/** The settings that affect whether a file differs, each with its accepted values. None of them can name a program. */
const comparing: Readonly<Record<string, RegExp>> = {
  "core.autocrlf": /^(?:true|false|yes|no|on|off|1|0|input)?$/i,
  "core.eol": /^(?:lf|crlf|native)$/i,
  "core.filemode": truth,
  "core.symlinks": truth,
  "core.ignorecase": truth,
  "core.precomposeunicode": truth,
  "core.trustctime": truth,
  "core.checkstat": /^(?:default|minimal)$/i,
  "core.excludesfile": /./,
  "core.attributesfile": /./,
};

/** The repository extensions that can be read in this way. */
const extensions = /^(?:noop|preciousobjects|partialclone|worktreeconfig|relativeworktrees|objectformat)$/;

/** The values of settings by name, with the section and the key in lower case. */
type Settings = ReadonlyMap<string, string>;

const maxBytes = 256_000_000;

export class PrivateGit implements Disposable {
  readonly #folder: string;
  readonly #signal: AbortSignal;
  readonly #variables: Record<string, string | undefined>;

  constructor({ PATH, HOME, SystemRoot }: Environment, signal: AbortSignal) {
    void removeOrphanedFolders(tmpdir()).catch(() => {}); // removes the folders of processes that were killed
    this.#folder = mkdtempSync(join(realpathSync(tmpdir()), temporaryPrefix("bridle-git")));
    this.#signal = signal;
    this.#variables = {
      PATH,
      HOME,
      SystemRoot,
      LC_ALL: "C",
      GIT_DIR: this.#folder,
      GIT_OPTIONAL_LOCKS: "0",
      GIT_TERMINAL_PROMPT: "0",
      GIT_NO_LAZY_FETCH: "1",
      GIT_PAGER: "",
    };
    for (const name of ["objects", "refs", "info"]) mkdirSync(join(this.#folder, name));
    writeFileSync(join(this.#folder, "HEAD"), "ref: refs/heads/none\n");
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * Points git at a repository. Resolves with its current commit; undefined before the first commit, or if this kind of repository cannot
   * be read in this way.
   */
  async use({ root, gitFolder }: Repository): Promise<string | undefined> {
    const common = commonFolder(gitFolder);
    const commit = readGitHead({ gitFolder, common });
    if (commit === undefined) return undefined;
    const ofUser = parseSettings(await this.run(["config", "--null", "--list"]));
    const ofRepository = await this.readSettings(join(common, "config"));
    const ofWorktree = await this.#worktreeSettings(ofRepository, gitFolder);
    const own = new Map([...ofRepository, ...ofWorktree]);
    if (!isReadable(own, { root, gitFolder })) return undefined;
    writeFileSync(join(this.#folder, "HEAD"), `${commit}\n`);
    writeFileSync(join(this.#folder, "config"), configuration(commit));
    this.#copyState(gitFolder, common);
    Object.assign(this.#variables, closedVariables(new Map([...ofUser, ...own])), {
      GIT_WORK_TREE: root,
      GIT_INDEX_FILE: join(gitFolder, "index"),
      GIT_OBJECT_DIRECTORY: join(common, "objects"),
    });
    return (await this.run(["rev-parse", "--verify", "HEAD^{commit}"])).trim();
  }

  /** Runs git, and resolves with its output. Its working directory is the private folder. */
  run(words: readonly string[], input?: string): Promise<string> {
    const [cwd, env, signal] = [this.#folder, this.#variables, this.#signal];
    return readProgram("git-reader", ["git", words], { cwd, env, signal, input, maxBuffer: maxBytes });
  }

  /** Reads the settings in a file, without those of files that it includes. Empty if the file does not exist. */
  async readSettings(path: string): Promise<Settings> {
    if (!isFile(path)) return new Map();
    return parseSettings(await this.run(["config", "--null", "--list", "--no-includes", "--file", path]));
  }

  async #worktreeSettings(ofRepository: Settings, gitFolder: string): Promise<Settings> {
    if (!ofRepository.has("extensions.worktreeconfig")) return new Map();
    return this.readSettings(join(gitFolder, "config.worktree"));
  }

  /** Copies the files that git reads in addition to its configuration: patterns, and the shared parts of a split index. */
  #copyState(gitFolder: string, common: string): void {
    const patterns = ["attributes", "exclude"].map((name) => [join(common, "info", name), join("info", name)] as const);
    const parts = readdirSync(gitFolder)
      .filter((name) => name.startsWith("sharedindex."))
      .map((name) => [join(gitFolder, name), name] as const);
    for (const [from, to] of [...patterns, ...parts]) if (isFile(from)) copyFileSync(from, join(this.#folder, to));
  }
}

/** Whether the files belong to the repository, and git's way of storing it can be read here. */
function isReadable(settings: Settings, { root, gitFolder }: Repository): boolean {
  const index = statSync(join(gitFolder, "index"), { throwIfNoEntry: false });
  if (index !== undefined && !index.isFile()) return false;
  if (/^(?:true|yes|on|1|)$/i.test(settings.get("core.bare") ?? "false")) return false;
  const worktree = settings.get("core.worktree");
  if (worktree !== undefined && realpathSync(resolve(gitFolder, worktree)) !== realpathSync(root)) return false;
  return [...settings.keys()].every(
    (name) => !name.startsWith("extensions.") || extensions.test(name.slice("extensions.".length)),
  );
}

/** Creates the private configuration, which contains no text from the repository. */
function configuration(commit: string): string {
  const isLong = commit.length === 64;
  return `[core]\n\trepositoryformatversion = ${isLong ? 1 : 0}\n\tbare = false\n${isLong ? "[extensions]\n\tobjectformat = sha256\n" : ""}`;
}

/** Returns variables that make git use only the private configuration and these values. */
function closedVariables(settings: Settings): Record<string, string> {
  const chosen = Object.entries(comparing).flatMap(([name, values]) => {
    const value = settings.get(name);
    return value !== undefined && values.test(value) ? [[name, value] as const] : [];
  });
  const pairs = [...chosen, ["core.fsmonitor", "false"], ["core.hooksPath", devNull], ["core.untrackedCache", "false"]];
  return {
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_COUNT: String(pairs.length),
    ...Object.fromEntries(
      pairs.flatMap(([name = "", value = ""], index) => [
        [`GIT_CONFIG_KEY_${index}`, name],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}

/** Parses the settings. A name without a value means true. */
function parseSettings(output: string): Settings {
  const entries = output.split("\0").filter((entry) => entry !== "");
  return new Map(
    entries.map((entry) => {
      const end = entry.indexOf("\n");
      return end < 0 ? [entry, ""] : [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
