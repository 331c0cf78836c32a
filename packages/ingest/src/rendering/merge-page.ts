/**
 * Merges a rendered page with its file. Replaces or removes blocks that ingest wrote. All other blocks belong to users, and keep their
 * place. Pure.
 */
import { editPage, formatPage, type ParsedPage, splitBlocks } from "@bridle/context";
import { similarityOf } from "../claims/similar-blocks.ts";
import { marksIn, mergeFront, renumber } from "./merge-front.ts";
import type { FileBlock, RenderedBlock, RenderedPage } from "./page-content.ts";
import { PersonRuns } from "./person-runs.ts";
import { hashOfWritten, removedByPerson, type WrittenEntries } from "./written-record.ts";

export interface PageMergeInput {
  /** The path relative to the project. */
  readonly file: string;
  /** The rendered page; undefined if it has no claims any longer. */
  readonly rendered: RenderedPage | undefined;
  /** The parsed file; undefined if it does not exist. */
  readonly present: (ParsedPage & { readonly text: string }) | undefined;
  readonly written: WrittenEntries;
  /** Whether a missing block was removed by a user. */
  readonly mayBeRemoved: boolean;
}

export interface MergedPage {
  /** The merged text; undefined if the file is removed. */
  readonly text: string | undefined;
  readonly written: WrittenEntries;
  /** The ids of claims that a user removed, or replaced with other text. */
  readonly removed: readonly { readonly claim: string; readonly isEdited: boolean }[];
  /** Whether only users' own text remains. */
  readonly isOnlyPersons: boolean;
}

export function mergePage(input: PageMergeInput): MergedPage {
  const { rendered, present } = input;
  if (present !== undefined) return new PageMerge(input, present).run();
  if (rendered === undefined) return { text: undefined, written: new Map(), removed: [], isOnlyPersons: false };
  const { front, blocks } = rendered;
  const written = mergeFront({
    rendered: front,
    file: {},
    written: new Map(),
    mayBeRemoved: false,
    cited: new Set(),
  }).written;
  const text = formatPage({ front, body: blocks.map((block) => block.text).join("\n\n") });
  return { text, written: new Map([...written, ...hashesOf(blocks)]), removed: [], isOnlyPersons: false };
}

class PageMerge {
  readonly #input: PageMergeInput;
  readonly #present: NonNullable<PageMergeInput["present"]>;
  readonly #blocks: readonly FileBlock[];
  readonly #removed: { readonly claim: string; readonly isEdited: boolean }[] = [];
  /** Blocks that are not written because a user removed them. */
  readonly #suppressed = new Set<string>();

  constructor(input: PageMergeInput, present: NonNullable<PageMergeInput["present"]>) {
    this.#input = input;
    this.#present = present;
    this.#blocks = readFileBlocks(present.body, input.rendered?.blocks ?? [], input.written);
  }

  run(): MergedPage {
    this.#findRemoved();
    const { rendered, written, mayBeRemoved, file } = this.#input;
    const kept = (rendered?.blocks ?? []).filter(({ key }) => !this.#suppressed.has(key));
    const runs = new PersonRuns(this.#present.body, this.#blocks, new Set(kept.map(({ key }) => key)));
    const blocks = withoutEmptySections(kept, runs);
    const cited = marksIn(runs.texts.join("\n\n"));
    const front = mergeFront({ rendered: rendered?.front, file: this.#present.raw, written, mayBeRemoved, cited });
    const body = runs.weave(blocks, (text) => renumber(text, front.numbers)).join("\n\n");
    const isOnlyPersons = blocks.length === 0 && (runs.texts.length > 0 || front.hasPersons);
    const isGone = blocks.length === 0 && !isOnlyPersons;
    const marks = [...this.#suppressed].filter((key) => !isClaim(key)).map((key) => [key, removedByPerson] as const);
    return {
      text: isGone ? undefined : this.#edit(file, front.values, body),
      written: isGone ? new Map() : new Map([...front.written, ...hashesOf(blocks), ...marks]),
      removed: this.#removed,
      isOnlyPersons,
    };
  }

  #edit(file: string, front: Readonly<Record<string, unknown>>, body: string): string {
    const old = this.#present.body;
    const isSame =
      splitBlocks(old)
        .map(({ text }) => text)
        .join("\n\n") ===
      splitBlocks(body)
        .map(({ text }) => text)
        .join("\n\n");
    return editPage(this.#present.text, file, { front, body: isSame ? old : body });
  }

  /** Finds blocks that ingest wrote last time and would write again, but that are missing in the file. */
  #findRemoved(): void {
    const { rendered, written, mayBeRemoved } = this.#input;
    const found = new Set(this.#blocks.flatMap(({ key }) => key ?? []));
    const texts = this.#blocks.filter(({ key }) => key === undefined).map(({ text }) => text);
    for (const { key, text } of rendered?.blocks ?? []) {
      const hash = written.get(key);
      const isGone = hash === removedByPerson || (hash !== undefined && mayBeRemoved && !found.has(key));
      if (!isGone) continue;
      this.#suppressed.add(key);
      const isEdited = texts.some((each) => similarityOf(each, text) >= 0.5);
      if (isClaim(key)) this.#removed.push({ claim: key, isEdited });
    }
  }
}

/** Whether a key belongs to a claim: such keys contain no space. */
function isClaim(key: string): boolean {
  return /^[0-9a-f]{10}$/.test(key);
}

function hashesOf(blocks: readonly RenderedBlock[]): readonly (readonly [string, string])[] {
  return blocks.map(({ key, text }) => [key, hashOfWritten(text)]);
}

/** Reads the blocks of a file, with keys for those that ingest wrote or would write. A copy of such a block belongs to a user. */
function readFileBlocks(
  body: string,
  rendered: readonly RenderedBlock[],
  written: WrittenEntries,
): readonly FileBlock[] {
  const keys = keysByHash(rendered, written);
  return splitBlocks(body).map(({ text, offset, kind }) => {
    const key = keys.get(hashOfWritten(text))?.shift();
    return { text, offset, isHeading: kind === "heading", key };
  });
}

/**
 * Returns the block keys by the hash of the block's text. Several blocks of a page may have the same text, such as the introductions of two
 * disputes about one subject.
 */
function keysByHash(rendered: readonly RenderedBlock[], written: WrittenEntries): ReadonlyMap<string, string[]> {
  const own = Array.from(written).filter(([key]) => key !== "topic" && !key.startsWith("front."));
  const wanted = rendered.map(({ key, text }) => [key, hashOfWritten(text)] as const);
  const all = [...wanted.filter(([key, hash]) => written.get(key) === hash), ...wanted, ...own];
  const keys = new Map<string, string[]>();
  for (const [key, hash] of all) {
    const known = keys.get(hash) ?? [];
    if (!known.includes(key)) keys.set(hash, [...known, key]);
  }
  return keys;
}

/** Leaves out ingest's headings that have no content. */
function withoutEmptySections(blocks: readonly RenderedBlock[], runs: PersonRuns): readonly RenderedBlock[] {
  return blocks.filter(({ key, text }, index) => {
    if (!/^#{1,6}\s/.test(text)) return true;
    const next = blocks[index + 1];
    return (
      (next !== undefined && !/^#{1,6}\s/.test(next.text) && next.key !== "links" && next.key !== "parts") ||
      runs.isAfter(key)
    );
  });
}
