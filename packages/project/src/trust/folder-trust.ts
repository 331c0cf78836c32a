import { basename, dirname, join, sep } from "node:path";
import { sha256 } from "@bridle/core";
import {
  ConfigError,
  type EffectiveFile,
  type EffectSummary,
  type FolderEffect,
  type FolderTrust,
  findChangesSince,
  given,
  type LoadedFile,
  optionsCheck,
  type TrustedState,
  withCurrentContent,
} from "@bridle/protocol";
import type { Environment } from "../config/variables.ts";
import { realPath } from "../effects/effect-values.ts";
import { stateFolderName } from "../namespace/folders.ts";
import { stateFolder } from "../namespace/system-folders.ts";
import { codeOfAuthors, isUntouched, reachableFrom, workingFolder } from "./agent-reach.ts";
import type { CodeState } from "./code-state.ts";
import { formatStates } from "./describe-states.ts";
import { stateFileName } from "./foreign-state.ts";
import { authoredNow, findForeignFile, findForeignWork } from "./own-edit.ts";
import { RunMarks } from "./run-marks.ts";
import { type TrustChanges, type TrustRecord, type TrustRecords, TrustStore } from "./trust-store.ts";
import { TrustedContents } from "./trusted-contents.ts";

export interface FolderTrustOptions {
  /** The variables that determine the user's own folder: the variables of the process, not those of a project. */
  readonly environment: Environment;
  /** Asks the user about files that are not trusted. Without this function, such files are rejected. */
  ask?(states: readonly TrustedState[]): Promise<boolean>;
}

interface OwnMark {
  readonly name: string;
  /** The authors' files that an agent of this process could change. */
  readonly keys: readonly string[];
  /** The code in these authors' folders before an agent could change it. */
  readonly code: ReadonlyMap<string, CodeState | undefined>;
}

/** The trust decisions of a user, stored in a file in the user's own folder. */
export class StoredTrust implements FolderTrust {
  readonly #store: TrustStore;
  readonly #contents: TrustedContents;
  readonly #marks: RunMarks;
  /** The files in use by this process. */
  readonly #used = new Map<string, EffectiveFile>();
  /** The run marks of this process. */
  readonly #own: OwnMark[] = [];
  readonly #ask: FolderTrustOptions["ask"];
  /** The last question to the user. Several runs that start together ask only once. */
  #asked: Promise<unknown> = Promise.resolve();
  /** The number of answered questions. */
  #questions = 0;

  constructor({ environment, ask }: FolderTrustOptions) {
    const folder = stateFolder(environment);
    this.#store = new TrustStore(environment);
    this.#contents = new TrustedContents(folder);
    this.#marks = new RunMarks(folder);
    this.#ask = ask;
  }

  async check(files: readonly EffectiveFile[]): Promise<readonly TrustedState[]> {
    if (files.every(({ effects }) => effects.length === 0)) return files.map((file) => stateOf(file, undefined));
    const trusted = await this.#store.read();
    return Promise.all(files.map((file) => this.#stateOf(file, trusted[keyOf(file.path)])));
  }

  async require(files: readonly EffectiveFile[]): Promise<void> {
    const questions = this.#questions;
    const current = () => (this.#questions === questions ? files : files.map(withCurrentContent)); // a question can wait for long
    const answer = this.#asked.then(() => this.#requireNow(current()));
    this.#asked = answer.catch(() => {});
    return answer;
  }

  async #requireNow(files: readonly EffectiveFile[]): Promise<void> {
    const states = await this.check(files);
    const open = states.filter(({ isTrusted }) => !isTrusted);
    if (open.length > 0) {
      if (!(await this.#answerTo(open))) throw refuseUntrusted(open);
      refuseChanges(files);
      await this.accept(files.filter((_file, index) => states[index]?.isTrusted === false));
    }
    await this.#followAuthor(files.filter((_file, index) => states[index]?.isTrusted !== false));
    await this.markUse(files);
  }

  async #answerTo(open: readonly TrustedState[]): Promise<boolean> {
    if (this.#ask === undefined) return false;
    try {
      return await this.#ask(open);
    } finally {
      this.#questions += 1;
    }
  }

  /** Records the author's edits, and the state of git and the packages while the content is unchanged since it was trusted. */
  async #followAuthor(files: readonly EffectiveFile[]): Promise<void> {
    const trusted = await this.#store.read();
    const moved = files.filter((file) => {
      const { author, effects } = trusted[keyOf(file.path)] ?? {};
      if (author === undefined || effects === undefined) return false;
      const isSame = JSON.stringify(authoredNow(author.folder)) === JSON.stringify(author);
      return !isSame || file.effects.some((effect) => !effects.some(({ hash }) => hash === hashOf(effect)));
    });
    await this.#record(moved, (current) => {
      const kept = moved.filter(({ path }) => current[keyOf(path)]?.author !== undefined); // the trust in the others has since been revoked
      return recordsOf(kept, current);
    });
    for (const file of files) if (trusted[keyOf(file.path)]?.author) await this.#marks.clear(keyOf(file.path));
  }

  /**
   * Marks the files that this process uses. An agent that it runs could change these files, and other authors' files within its reach. Call
   * `close()` when done.
   */
  async markUse(files: readonly EffectiveFile[]): Promise<void> {
    const active = files.filter(({ effects }) => effects.length > 0);
    if (active.length === 0) return;
    const trusted = await this.#store.read();
    for (const file of active) this.#used.set(keyOf(file.path), file);
    const marked = new Set(this.#own.flatMap(({ keys }) => keys));
    const reached = reachableFrom([...workingFolder(), ...active.map(({ path }) => dirname(path))], trusted);
    const added = reached.filter((key) => !marked.has(key));
    if (added.length === 0) return;
    const name = await this.#marks.begin(added);
    const unused = added.filter((key) => !this.#used.has(key));
    if (name !== undefined) this.#own.push({ name, keys: added, code: codeOfAuthors(unused, trusted) });
  }

  /** Removes the marks of files that are unchanged since they were trusted. If a mark stays, the next command asks the user. */
  async close(): Promise<void> {
    const trusted = this.#own.length === 0 ? {} : await this.#store.read();
    for (const { name, keys, code } of this.#own.splice(0)) {
      const changed = keys.filter((key) => {
        const used = this.#used.get(key);
        return !(used === undefined ? isUntouched(trusted[key], code) : isUnchanged(used, trusted[key]));
      });
      await this.#marks.end(name, changed);
    }
    this.#used.clear();
  }

  /**
   * Trusts the files with these effects. With the folder of an `author`, later edits in it count as the user's own, and cause no question.
   *
   * @throws BridleError if a file has changed since its effects were listed, or the decision cannot be remembered.
   */
  async accept(files: readonly EffectiveFile[], author?: string): Promise<void> {
    for (const file of files) await file.accept?.();
    const recorded = files.filter(({ accept }) => accept === undefined);
    await this.#record(recorded, (trusted) => recordsOf(recorded, trusted, author));
  }

  /** Throws a ConfigError of `update`, or if the user's folder cannot be written. */
  async #record(files: readonly EffectiveFile[], update: (trusted: TrustRecords) => TrustChanges): Promise<void> {
    if (files.length === 0) return;
    await this.#store.change(update);
    await this.#contents.keep(files.flatMap(({ effects }) => effects.flatMap((effect) => effect.loaded?.files ?? [])));
    for (const { path } of files) await this.#marks.clear(keyOf(path));
    await this.#removeOldContents();
  }

  async #removeOldContents(): Promise<void> {
    const effects = Object.values(await this.#store.read()).flatMap((entry) => entry.effects);
    await this.#contents.keepOnly(new Set(effects.flatMap(({ loaded }) => Object.values(loaded?.files ?? {}))));
  }

  async #stateOf(file: EffectiveFile, trusted: TrustRecord | undefined): Promise<TrustedState> {
    const state = stateOf(file, trusted);
    if (trusted === undefined || state.isTrusted) return state;
    const { author } = trusted;
    const foreign = author && ((await this.#foreignRun(file.path)) ?? findForeignWork(author));
    const changed = findChanges(state.added, trusted).map(async (change) => {
      const reason =
        author && (foreign ?? (change.file.hash === "" ? undefined : findForeignFile(change.file.path, author)));
      const difference = await this.#contents.difference(change.file, change.former);
      return { path: change.file.path, reason, difference };
    });
    const changes = await Promise.all(changed);
    const isOwn =
      author !== undefined &&
      foreign === undefined &&
      state.added.every(
        (effect) => effect.loaded?.canBeEdited === true && knownSetting(effect, trusted) !== undefined,
      ) &&
      changes.every(({ reason }) => reason === undefined);
    if (isOwn) return { ...state, isTrusted: true, isChanged: false, added: [], former: [] };
    return changes.length === 0 ? state : { ...state, changes };
  }

  async #foreignRun(path: string): Promise<string | undefined> {
    return (await this.#marks.isMarked(keyOf(path))) ? "an agent was running, and could have written it" : undefined;
  }

  /** Revokes the trust in a file, or in all files in and below a folder. Resolves with their paths. */
  async revoke(path: string): Promise<string[]> {
    const key = keyOf(path);
    const prefix = `${realPath(path)}/`;
    const isBelow = (each: string) =>
      each === key || each.replaceAll("\\", "/").startsWith(prefix.replaceAll("\\", "/"));
    let found = Object.keys(await this.#store.read()).filter(isBelow);
    if (found.length === 0) return found;
    await this.#store.change((trusted) => {
      found = Object.keys(trusted).filter(isBelow); // files may have been added or removed since
      return Object.fromEntries(found.map((each) => [each, undefined]));
    });
    await this.#removeOldContents();
    return found;
  }

  /** Lists the trusted files by path, with the time of the decision. */
  async list(): Promise<{ readonly path: string; readonly at: string; readonly effects: readonly EffectSummary[] }[]> {
    const files = Object.entries(await this.#store.read());
    return files.map(([path, { at, effects }]) => ({
      path,
      at,
      effects: effects.map(({ kind, subject }) => ({ kind, subject })),
    }));
  }
}

/** Trusts everything, for automation in a folder that the operator chose. */
export const trustEverything: FolderTrust = {
  check: async (files) =>
    files.map(({ path, effects }) => ({ path, effects, isTrusted: true, isChanged: false, added: [], former: [] })),
  require: async () => {},
};

const checkOptions = optionsCheck<FolderTrustOptions>("createFolderTrust", {
  environment: given.object,
  ask: given.callback.optional(),
});

/** Trusts everything, and records in which authors' folders agents run, because changes by agents are not the author's edits. */
class ObservedTrust implements FolderTrust {
  readonly #stored: StoredTrust;

  constructor(environment: Environment) {
    this.#stored = new StoredTrust({ environment });
  }

  check(files: readonly EffectiveFile[]): Promise<readonly TrustedState[]> {
    return trustEverything.check(files);
  }

  async require(files: readonly EffectiveFile[]): Promise<void> {
    await this.#stored.markUse(files).catch(() => {}); // without the user's state, nothing was trusted
  }

  async close(): Promise<void> {
    await this.#stored.close().catch(() => {});
  }
}

/** Creates trust for one command, or for automation: it asks nothing and stores no decision. */
export function createTrustForOnce({ environment }: Pick<FolderTrustOptions, "environment">): FolderTrust {
  return new ObservedTrust(environment);
}

/**
 * Creates trust with the decisions of this process's user. `BRIDLE_TRUST=all` in the environment trusts every folder, for automation.
 *
 * @example
 * const project = await openProject({ trust: createFolderTrust({ environment: process.env }) });
 */
export function createFolderTrust(options: FolderTrustOptions): FolderTrust {
  checkOptions(options);
  return options.environment.BRIDLE_TRUST === "all" ? createTrustForOnce(options) : new StoredTrust(options);
}

/** Creates the entries for files with these effects. Throws ConfigError if the files now have other effects. */
function recordsOf(files: readonly EffectiveFile[], trusted: TrustRecords, author?: string): TrustChanges {
  const at = new Date().toISOString();
  const entries = files.map(({ path, effects }): readonly [string, TrustRecord] => {
    const folder = author ?? trusted[keyOf(path)]?.author?.folder ?? authorOf(path, trusted);
    const entry = { at, effects: effects.map(toTrusted) };
    return [keyOf(path), folder === undefined ? entry : { ...entry, author: authoredNow(folder) }];
  });
  refuseChanges(files); // after reading the position in git's log: a pull in between leaves the older position, or changes the files
  return Object.fromEntries(entries);
}

function stateOf({ path, effects }: EffectiveFile, trusted: TrustRecord | undefined): TrustedState {
  const hashes = effects.map(hashOf);
  const known = trusted?.effects ?? [];
  const added = effects.filter((effect) => !known.some(({ hash }) => hash === hashOf(effect)));
  const isTrusted = added.length === 0;
  const former = known.filter(({ hash }) => !hashes.includes(hash)).map(({ kind, subject }) => ({ kind, subject }));
  return { path, effects, added, isTrusted, isChanged: trusted !== undefined && !isTrusted, former };
}

function toTrusted(effect: FolderEffect): TrustRecord["effects"][number] {
  const { kind, subject, loaded } = effect;
  const entry = { kind, subject, hash: hashOf(effect) };
  if (loaded === undefined) return entry;
  return { ...entry, loaded: { setting: settingOf(effect) ?? "", files: hashesOf(loaded.files) } };
}

function hashOf({ kind, subject, field, key = field, content }: FolderEffect): string {
  return sha256(JSON.stringify([kind, subject, key, content]));
}

/** Identifies the effect without its files. */
function settingOf({ kind, subject, field, key = field, loaded }: FolderEffect): string | undefined {
  return loaded && sha256(JSON.stringify([kind, subject, key, loaded.setting]));
}

function hashesOf(files: readonly LoadedFile[]): Record<string, string> {
  return Object.fromEntries(files.map(({ path, hash }) => [path, hash]));
}

/** Finds the trusted effect that differs from this one only in its files. */
function knownSetting(effect: FolderEffect, { effects }: TrustRecord) {
  const setting = settingOf(effect);
  return setting === undefined ? undefined : effects.find(({ loaded }) => loaded?.setting === setting)?.loaded;
}

/** Lists the files that make the effects differ, each once. A removed file has an empty hash. */
function findChanges(added: readonly FolderEffect[], trusted: TrustRecord) {
  const found = new Map<string, { readonly file: LoadedFile; readonly former: string | undefined }>();
  for (const effect of added) {
    const known = knownSetting(effect, trusted)?.files;
    if (known === undefined || effect.loaded === undefined) continue;
    const now = hashesOf(effect.loaded.files);
    for (const path of new Set([...Object.keys(known), ...Object.keys(now)])) {
      if (known[path] !== now[path]) found.set(path, { file: { path, hash: now[path] ?? "" }, former: known[path] });
    }
  }
  return [...found.values()];
}

/** Whether the files that the effects load are the trusted ones. */
function isUnchanged({ effects }: EffectiveFile, trusted: TrustRecord | undefined): boolean {
  return effects.every((effect) => {
    if (effect.loaded?.canBeEdited !== true || trusted === undefined) return true;
    const known = knownSetting(effect, trusted)?.files ?? {};
    const now = hashesOf(effect.readAgain?.().loaded?.files ?? []);
    const paths = new Set([...Object.keys(known), ...Object.keys(now)]);
    return [...paths].every((path) => known[path] === now[path]);
  });
}

/** Finds the author's folder that contains a file, from the records of other files in that folder. */
function authorOf(path: string, trusted: Readonly<Record<string, TrustRecord>>): string | undefined {
  const key = keyOf(path);
  const folders = Object.values(trusted).flatMap(({ author }) => author?.folder ?? []);
  return folders.find((folder) => key.startsWith(join(folder, sep)));
}

/** Resolves the links in a file's folder. A linked file keeps its own path, because its relative paths are resolved against its folder. */
function keyOf(path: string): string {
  return join(realPath(dirname(path)), basename(path));
}

/** Throws ConfigError if the content has changed since it was read, because trust applies only to the content that the user has seen. */
function refuseChanges(files: readonly EffectiveFile[]): void {
  const changed = files.flatMap(findChangesSince);
  if (changed.length === 0) return;
  const message = `${changed.join(", ")} changed before the decision was complete, so it does not count. Run the command again.`;
  throw new ConfigError(message, { field: "trust" });
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

/** Returns the folder that is trusted with a file. State is in a separate folder in the project. */
function folderOf(path: string): string {
  if (!isState(path)) return dirname(path);
  const parts = path.split(sep);
  return parts.slice(0, parts.lastIndexOf(stateFolderName)).join(sep);
}

function isState(path: string): boolean {
  return [stateFolderName, stateFileName].includes(basename(path));
}
