import { basename, dirname, join, sep } from "node:path";
import { sha256 } from "@bridle/core";
import {
  ConfigError,
  type EffectiveFile,
  type EffectSummary,
  type FolderEffect,
  type FolderTrust,
  given,
  optionsCheck,
  type TrustedState,
} from "@bridle/protocol";
import type { Environment } from "../config/variables.ts";
import { stateFolderName } from "../namespace/folders.ts";
import { formatStates } from "./describe-states.ts";
import { realPath } from "./effect-values.ts";
import { stateFileName } from "./foreign-state.ts";
import { type TrustedFile, TrustStore } from "./trust-store.ts";

export interface FolderTrustOptions {
  /** The variables that lead to the user's own folder. They have to be those of the process, not those of a project. */
  readonly environment: Environment;
  /** Asks a person about files that are not trusted. Without it, they are refused. */
  ask?(states: readonly TrustedState[]): Promise<boolean>;
}

/** What a user trusts, in a file of the user's own folder. */
export class StoredTrust implements FolderTrust {
  readonly #store: TrustStore;
  readonly #ask: FolderTrustOptions["ask"];
  /** The last question. Several runs that start together ask once. */
  #asked: Promise<unknown> = Promise.resolve();

  constructor({ environment, ask }: FolderTrustOptions) {
    this.#store = new TrustStore(environment);
    this.#ask = ask;
  }

  async check(files: readonly EffectiveFile[]): Promise<readonly TrustedState[]> {
    if (files.every(({ effects }) => effects.length === 0)) return files.map((file) => stateOf(file, undefined));
    const trusted = await this.#store.read();
    return files.map((file) => stateOf(file, trusted[keyOf(file.path)]));
  }

  async require(files: readonly EffectiveFile[]): Promise<void> {
    const answer = this.#asked.then(() => this.#requireNow(files));
    this.#asked = answer.catch(() => {});
    return answer;
  }

  async #requireNow(files: readonly EffectiveFile[]): Promise<void> {
    const states = await this.check(files);
    const open = states.filter(({ isTrusted }) => !isTrusted);
    if (open.length === 0) return;
    if (!(await this.#ask?.(open))) throw refuseUntrusted(open);
    await this.accept(files.filter((_file, index) => states[index]?.isTrusted === false));
  }

  /** Trusts the files with their present effects. Throws a BridleError if that cannot be remembered. */
  async accept(files: readonly EffectiveFile[]): Promise<void> {
    for (const file of files) await file.accept?.();
    const recorded = files.filter(({ accept }) => accept === undefined);
    if (recorded.length === 0) return;
    const at = new Date().toISOString();
    const entries = recorded.map(
      ({ path, effects }) => [keyOf(path), { at, effects: effects.map(toTrusted) }] as const,
    );
    await this.#store.change(Object.fromEntries(entries));
  }

  /** No longer trusts a file, or the files in a folder and below it. Resolves with their paths. */
  async revoke(path: string): Promise<string[]> {
    const key = keyOf(path);
    const prefix = `${realPath(path)}/`;
    const found = Object.keys(await this.#store.read()).filter(
      (each) => each === key || each.replaceAll("\\", "/").startsWith(prefix.replaceAll("\\", "/")),
    );
    if (found.length > 0) await this.#store.change(Object.fromEntries(found.map((each) => [each, undefined])));
    return found;
  }

  /** The trusted files with the time of the decision, by path. */
  async list(): Promise<{ readonly path: string; readonly at: string; readonly effects: readonly EffectSummary[] }[]> {
    const files = Object.entries(await this.#store.read());
    return files.map(([path, { at, effects }]) => ({
      path,
      at,
      effects: effects.map(({ kind, subject }) => ({ kind, subject })),
    }));
  }
}

/** Trusts everything, for automation whose operator chose the folder. */
export const trustEverything: FolderTrust = {
  check: async (files) =>
    files.map(({ path, effects }) => ({ path, effects, isTrusted: true, isChanged: false, added: [], former: [] })),
  require: async () => {},
};

const checkOptions = optionsCheck<FolderTrustOptions>("createFolderTrust", {
  environment: given.object,
  ask: given.callback.optional(),
});

/**
 * The decisions of the user of this process. `BRIDLE_TRUST=all` in its environment trusts every folder, for automation.
 *
 * @example
 * const project = await openProject({ trust: createFolderTrust({ environment: process.env }) });
 */
export function createFolderTrust(options: FolderTrustOptions): FolderTrust {
  checkOptions(options);
  return options.environment.BRIDLE_TRUST === "all" ? trustEverything : new StoredTrust(options);
}

function stateOf({ path, effects }: EffectiveFile, trusted: TrustedFile | undefined): TrustedState {
  const hashes = effects.map(hashOf);
  const known = trusted?.effects ?? [];
  const added = effects.filter((effect) => !known.some(({ hash }) => hash === hashOf(effect)));
  const isTrusted = added.length === 0;
  const former = known.filter(({ hash }) => !hashes.includes(hash)).map(({ kind, subject }) => ({ kind, subject }));
  return { path, effects, added, isTrusted, isChanged: trusted !== undefined && !isTrusted, former };
}

function toTrusted(effect: FolderEffect): TrustedFile["effects"][number] {
  return { kind: effect.kind, subject: effect.subject, hash: hashOf(effect) };
}

function hashOf({ kind, subject, field, content }: FolderEffect): string {
  return sha256(JSON.stringify([kind, subject, field, content]));
}

/** The path of a file whose folder has no links. A linked file keeps its place, because its relative paths start there. */
function keyOf(path: string): string {
  return join(realPath(dirname(path)), basename(path));
}

function refuseUntrusted(states: readonly TrustedState[]): ConfigError {
  const [first] = states;
  const isChanged = states.some((state) => state.isChanged);
  const folder = folderOf(first?.path ?? "");
  const reason = isChanged
    ? `The folder ${folder} changed since you trusted it.`
    : `The folder ${folder} is not trusted, so nothing in it was used.`;
  const agent = states.map(({ path }) => path).find((path) => basename(path) !== "bridle.yaml" && !isState(path));
  const target = agent ?? folder;
  const remedy = `Read its files. If you trust them, run: bridle trust ${JSON.stringify(target)}. For one command, add --trust.`;
  return new ConfigError(`${reason}\n${formatStates(states)}\n${remedy}`, { field: "trust" });
}

/** The folder that is trusted with a file. State is in a folder of its own, in the project's. */
function folderOf(path: string): string {
  if (!isState(path)) return dirname(path);
  const parts = path.split(sep);
  return parts.slice(0, parts.lastIndexOf(stateFolderName)).join(sep);
}

function isState(path: string): boolean {
  return [stateFolderName, stateFileName].includes(basename(path));
}
