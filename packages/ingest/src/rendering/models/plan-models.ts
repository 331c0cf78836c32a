/** Plans the model files. Only parts that ran against the warehouse are written. */
import { getErrorMessage, isBridleError } from "@bridle/protocol";
import type { ModelFile } from "@bridle/semantic";
import type { Claim } from "../../claims/claim.ts";
import type { Decisions, RemovedThing } from "../../claims/decisions/decision-schema.ts";
import type { PlanNote, PlannedFile, PlannedPart } from "../change-set.ts";
import type { WrittenEntries, WrittenRecord } from "../written-record.ts";
import { type CheckModels, type FailingEntry, findFailing } from "./check-models.ts";
import { keyOfEntry, type MergedModel, mergeModel } from "./merge-model.ts";
import { type RenderedModel, renderModels, rowKeys } from "./render-models.ts";

export interface ModelsInput {
  readonly claims: readonly Claim[];
  /** The existing files, each with its model's name. The name is undefined if the file cannot be read. */
  readonly files: readonly (ModelFile & { readonly name: string | undefined })[];
  readonly written: WrittenRecord;
  readonly decisions: Decisions;
  readonly today: string;
  /** Checks the planned files. If missing, no model is written. */
  readonly check?: CheckModels | undefined;
  readonly signal: AbortSignal;
}

/** Plans the files. Rejects only if the signal is aborted or the check rejects. */
export async function planModels(input: ModelsInput): Promise<PlannedPart> {
  return new ModelPlan(input).run();
}

/** The maximum number of rounds. Each round leaves out the entries that failed the check of the previous round. */
const maxRounds = 12;

interface MergedFile {
  readonly file: string;
  readonly name: string;
  readonly before: string | undefined;
  readonly merged: MergedModel;
}

class ModelPlan {
  readonly #input: ModelsInput;
  readonly #notes: PlanNote[] = [];
  readonly #removed: RemovedThing[] = [];
  /** Model files that a user deleted. */
  readonly #gone = new Set<string>();
  /** Entries that are not written, by `model key`. */
  readonly #failing = new Map<string, FailingEntry>();

  constructor(input: ModelsInput) {
    this.#input = input;
  }

  async run(): Promise<PlannedPart> {
    const { models, leftOut } = renderModels(this.#input.claims);
    for (const { model, message } of leftOut) this.#note("contested", this.#fileOf(model), message);
    if (models.length === 0 && this.#ownFiles().length === 0) return this.#result([]);
    if (this.#input.check === undefined) return this.#unchecked("No connection can be asked, so no model is written.");
    const wanted = models.filter((model) => !this.#isGone(model));
    for (let round = 0; round < maxRounds; round += 1) {
      const merged = this.#merge(wanted);
      const changed = merged.filter(({ before, merged: { text } }) => text !== before);
      if (changed.length === 0) return this.#result(merged);
      const found = await findFailing(
        this.#filesAfter(merged),
        changed.map(toChanged),
        this.#input.check,
        this.#input.signal,
      );
      if (found.reason !== undefined) return this.#unchecked(found.reason);
      if (found.failing.length === 0) return this.#result(merged);
      for (const entry of found.failing) this.#failing.set(`${entry.model} ${entry.key}`, entry);
    }
    return this.#unchecked(
      "The models cannot be made to work together, so none is changed. Run bridle metrics validate.",
    );
  }

  #merge(models: readonly RenderedModel[]): readonly MergedFile[] {
    const usable = models.filter(({ name }) => !rowKeys.some((key) => this.#failing.has(`${name} ${key}`)));
    const byFile = new Map(usable.map((model) => [this.#fileOf(model.name), this.#withoutFailing(model)]));
    const failed = new Set(models.filter((model) => !usable.includes(model)).map(({ name }) => this.#fileOf(name)));
    const files = [...new Set([...byFile.keys(), ...this.#ownFiles()])].sort();
    return files.flatMap(
      (file) => (failed.has(file) ? this.#asItIs(file) : this.#mergeFile(file, byFile.get(file))) ?? [],
    );
  }

  #mergeFile(file: string, rendered: RenderedModel | undefined): MergedFile | undefined {
    const { files, written, decisions, today } = this.#input;
    const present = files.find((each) => each.file === file);
    const name = rendered?.name ?? present?.name;
    if (name === undefined) return undefined;
    const old = this.#writtenOf(file, name);
    const input = {
      file,
      name,
      rendered,
      text: present?.text,
      written: old,
      removed: decisions.removed ?? [],
      mayBeRemoved: !written.isMerged,
      today,
    };
    try {
      return { file, name, before: present?.text, merged: mergeModel(input) };
    } catch (error) {
      if (!isBridleError(error)) throw error;
      this.#note("unreadable", file, `The file was not changed: ${getErrorMessage(error)}`);
      return this.#asItIs(file);
    }
  }

  #asItIs(file: string): MergedFile | undefined {
    const present = this.#input.files.find((each) => each.file === file);
    const written = this.#input.written.files.get(file) ?? new Map();
    const merged = { text: present?.text, written, removed: [], kept: [], changes: [] };
    return present && { file, name: present.name ?? "", before: present.text, merged };
  }

  #withoutFailing(model: RenderedModel): RenderedModel {
    const fails = (key: string) => this.#failing.has(`${model.name} ${key}`);
    const entries = model.entries.filter((entry) => !fails(keyOfEntry(entry)));
    return { ...model, keys: new Map([...model.keys].filter(([key]) => !fails(key))), entries };
  }

  /** Whether a user deleted the file of the model, in this run or earlier. */
  #isGone({ name }: RenderedModel): boolean {
    const { decisions, written, files, today: at } = this.#input;
    if ((decisions.removed ?? []).some(({ model, entry }) => model === name && entry === undefined)) return true;
    const file = this.#fileOf(name);
    const isThere = files.some((each) => each.file === file);
    const wasWritten = [...written.files].some(
      ([each, entries]) => isModelFile(each) && !this.#exists(each) && entries.get("model") === name,
    );
    if (isThere || !wasWritten || written.isMerged) return false;
    this.#removed.push({ model: name, at });
    this.#gone.add(file);
    this.#note("removed", file, `A person removed the model ${name}. It stays removed: see context/decisions.yaml.`);
    return true;
  }

  #exists(file: string): boolean {
    return this.#input.files.some((each) => each.file === file);
  }

  #fileOf(name: string): string {
    const { files } = this.#input;
    const own = files.find((each) => each.name?.toLowerCase() === name.toLowerCase())?.file;
    if (own !== undefined) return own;
    const taken = new Set(files.map(({ file }) => file.toLowerCase()));
    let file = `context/models/${name}.yaml`;
    for (let number = 2; taken.has(file.toLowerCase()); number += 1) file = `context/models/${name}_${number}.yaml`;
    return file;
  }

  /** Lists existing files with content that ingest wrote. */
  #ownFiles(): readonly string[] {
    return [...this.#input.written.files.keys()].filter((file) => isModelFile(file) && this.#exists(file));
  }

  /** Returns the written entries of the file, or of the file that contained the model before a rename. */
  #writtenOf(file: string, name: string): WrittenEntries {
    const { files } = this.#input.written;
    const former = [...files].find(
      ([other, entries]) => isModelFile(other) && !this.#exists(other) && entries.get("model") === name,
    );
    return files.get(file) ?? former?.[1] ?? new Map();
  }

  #filesAfter(merged: readonly MergedFile[]): readonly ModelFile[] {
    const texts = new Map(merged.map((each) => [each.file, each.merged.text]));
    const others = this.#input.files.filter(({ file }) => !texts.has(file)).map(({ file, text }) => ({ file, text }));
    return [...others, ...[...texts].flatMap(([file, text]) => (text === undefined ? [] : [{ file, text }]))];
  }

  /** Keeps the files and their records unchanged. */
  #unchecked(message: string): PlannedPart {
    this.#note("unchecked", "context/models", message);
    const old = [...this.#input.written.files].filter(([file]) => isModelFile(file) && !this.#gone.has(file));
    return { files: [], written: new Map(old), removed: this.#removed, notes: this.#notes };
  }

  #result(merged: readonly MergedFile[]): PlannedPart {
    for (const { model, key, reason } of this.#failing.values()) {
      this.#note("left-out", this.#fileOf(model), `${model}.${key} is not written: ${reason}`);
    }
    const files: PlannedFile[] = [];
    const written = new Map<string, WrittenEntries>();
    for (const { file, name, before, merged: each } of merged) {
      this.#removed.push(...each.removed);
      this.#noteMerge(file, name, each);
      if (each.written.size > 0) written.set(file, new Map([...each.written, ["model", name]]));
      if (each.text === before) continue;
      const changes = each.changes.map(({ entry, before: old, after }) => ({
        subject: `${name}.${entry}`,
        kind: "model",
        ...(old !== undefined && { before: JSON.stringify(old) }),
        after: JSON.stringify(after ?? null),
      }));
      files.push({ file, kind: "model", before, after: each.text, changes });
    }
    return { files, written, removed: this.#removed, notes: this.#notes };
  }

  #noteMerge(file: string, name: string, { removed, kept }: MergedModel): void {
    for (const { entry } of removed) {
      this.#note("removed", file, `A person removed ${name}.${entry}. It stays removed: see context/decisions.yaml.`);
    }
    for (const { entry, isGone } of kept) {
      const why = isGone ? "no document mentions it any more" : "documents define it differently";
      this.#note("kept", file, `${name}.${entry} is a person's and stays, although ${why}.`);
    }
  }

  #note(kind: PlanNote["kind"], file: string, message: string): void {
    if (!this.#notes.some((each) => each.file === file && each.message === message))
      this.#notes.push({ kind, file, message });
  }
}

function toChanged({ file, name, merged }: MergedFile) {
  return { file, name, text: merged.text, keys: new Set(merged.changes.map(({ entry }) => entry)) };
}

function isModelFile(file: string): boolean {
  return file.startsWith("context/models/");
}
