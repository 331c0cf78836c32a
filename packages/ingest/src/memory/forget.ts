/** Forgets a remembered fact: removes it from the memory file, from decisions about it, and from the ingest store. */
import { join } from "node:path";
import { changesFile, removeChanges } from "@bridle/context";
import { decisionsFile } from "../claims/decisions/decision-schema.ts";
import { readDecisions, removeDecisions } from "../claims/decisions/parse-decisions.ts";
import { normalForm } from "../claims/wording/read-wording.ts";
import { type AppliedChanges, type ApplyOptions, applyChanges } from "../runs/changes/apply-changes.ts";
import { singleChange } from "../runs/changes/single-change.ts";
import type { IngestStore } from "../store/ingest-store.ts";
import { type MemoryFact, memoryFileName, removeFacts } from "./memory-file.ts";
import { memorySourceName } from "./memory-source.ts";
import type { ScopedMemory } from "./scoped-memory.ts";

export interface ForgetOptions extends Omit<ApplyOptions, "planAgain" | "reason"> {
  readonly memory: ScopedMemory;
  /** The project's ingest store. Not needed for a user's memory. */
  readonly store?: IngestStore | undefined;
}

export interface Forgotten {
  readonly facts: readonly MemoryFact[];
  /** Files that could not be written and so may still contain the fact. */
  readonly failed: AppliedChanges["failed"];
  /** Places that still contain the fact and cannot be changed, as sentences for users. */
  readonly left: readonly string[];
}

/**
 * Forgets facts by their ids. The pages contain the facts until the next ingest run writes them again. After that, only the project's git
 * history contains the text.
 *
 * @throws ConfigError if a file is wrong or cannot be written; IngestStoreError.
 */
export async function forget(ids: readonly string[], options: ForgetOptions): Promise<Forgotten> {
  const { memory, store } = options;
  const wanted = new Set(ids);
  const facts = memory.facts().filter(({ id }) => wanted.has(id));
  if (facts.length === 0) return { facts, failed: [], left: [] };
  await memory.change(
    (content) => removeFacts(content, memory.file, wanted),
    facts.map(({ id }) => id).join(", "),
    "forgotten",
  );
  if (memory.scope === "user") return { facts, failed: [], left: [] };
  const failed = await forgetDecisions(facts, options);
  const texts = facts.flatMap(({ text, statements }) => [text, ...statements.map(({ statement }) => statement)]);
  await removeChanges(changesFile(options), ({ subject, before = "", after }) => {
    return texts.some((text) => `${subject} ${before} ${after}`.includes(text));
  });
  store?.claims.forget(({ source, item }) => source === memorySourceName && wanted.has(item));
  store?.forgetItems(memorySourceName, ids);
  const left = [
    `Earlier versions of ${join(options.projectDir, memoryFileName)} and of pages are in git, if it is used.`,
  ];
  return { facts, failed, left };
}

/** Removes decisions about the facts, because a decision contains the statement that it is about. */
async function forgetDecisions(
  facts: readonly MemoryFact[],
  options: ForgetOptions,
): Promise<AppliedChanges["failed"]> {
  const forms = new Set(facts.flatMap(({ statements }) => statements.map(({ statement }) => normalForm(statement))));
  const plan = async () => {
    const { text } = readDecisions(options);
    const after = removeDecisions(text, (statement) => forms.has(normalForm(statement)));
    const changes = [
      { subject: facts.map(({ id }) => id).join(", "), kind: "decision", after: JSON.stringify("forgotten") },
    ];
    const file = {
      file: decisionsFile,
      kind: "decisions",
      before: text === "" ? undefined : text,
      after: after === "" ? undefined : after,
      changes,
    } as const;
    return singleChange(options.projectDir, file);
  };
  const applying = { ...options, author: "person", reason: "memory: forgotten", planAgain: plan } as const;
  return (await applyChanges(await plan(), applying)).failed;
}
