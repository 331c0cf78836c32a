import type { FileBlock, RenderedBlock } from "./page-content.ts";

/** A user's adjacent blocks. */
interface PersonRun {
  readonly text: string;
  /** The ingest block before or after the run; undefined at the start or end of a page. */
  readonly after: string | undefined;
  readonly before: string | undefined;
  /** Whether the run belongs at the end of its section, because the claim before the run is gone and the run was the section's last. */
  readonly isLast: boolean;
}

/** Users' texts on a page, with their place among ingest's blocks. */
export class PersonRuns {
  readonly #runs: readonly PersonRun[];

  /** `kept` contains the keys of the blocks that ingest writes. */
  constructor(body: string, blocks: readonly FileBlock[], kept: ReadonlySet<string>) {
    const marked = blocks.map((block, index) => {
      const isLeft = block.key !== undefined && !kept.has(block.key) && block.isHeading && hasTextUnder(blocks, index);
      return isLeft ? { ...block, key: undefined } : block;
    });
    this.#runs = readRuns(body, marked, kept);
  }

  get texts(): readonly string[] {
    return this.#runs.map(({ text }) => text);
  }

  /** Whether a user wrote something directly after a block. */
  isAfter(key: string): boolean {
    return this.#runs.some(({ after }) => after === key);
  }

  /** Returns ingest's blocks with users' blocks between them. */
  weave(blocks: readonly RenderedBlock[], toText: (text: string) => string): readonly string[] {
    const keys = new Set(blocks.map(({ key }) => key));
    const isPlaced = (key: string | undefined): key is string => key !== undefined && keys.has(key);
    const [before, after] = [new Map<string, string[]>(), new Map<string, string[]>()];
    const [top, end]: [string[], string[]] = [[], []];
    const push = (map: Map<string, string[]>, key: string, text: string) =>
      map.set(key, [...(map.get(key) ?? []), text]);
    for (const run of this.#runs) {
      const text = toText(run.text);
      if (isPlaced(run.before) && (/^ {0,3}#{1,6}\s/.test(text) || !isPlaced(run.after)))
        push(before, run.before, text);
      else if (isPlaced(run.after)) push(after, run.isLast ? lastOfSection(blocks, run.after) : run.after, text);
      else if (run.after === undefined) top.push(text);
      else end.push(text);
    }
    const woven = blocks.flatMap(({ key, text }) => [...(before.get(key) ?? []), text, ...(after.get(key) ?? [])]);
    return [...top, ...woven, ...end];
  }
}

/** Whether a user wrote something between a heading and the next one. */
function hasTextUnder(blocks: readonly FileBlock[], heading: number): boolean {
  const rest = blocks.slice(heading + 1);
  const end = rest.findIndex(({ isHeading }) => isHeading);
  return rest.slice(0, end < 0 ? rest.length : end).some(({ key }) => key === undefined);
}

/** Reads the runs. Blocks that ingest no longer writes do not divide a run. */
function readRuns(body: string, blocks: readonly FileBlock[], kept: ReadonlySet<string>): readonly PersonRun[] {
  const runs: PersonRun[] = [];
  let pieces: FileBlock[][] = [];
  let [after, isAdjacent]: [string | undefined, boolean] = [undefined, false];
  let [isLast, isAfterGone] = [true, false];
  const close = (before: string | undefined) => {
    const text = pieces.map((piece) => sliceOf(body, piece)).join("\n\n");
    if (text !== "") runs.push({ text, after, before, isLast: isLast && isAfterGone });
    pieces = [];
    [isLast, isAfterGone] = [true, false];
  };
  for (const block of blocks) {
    if (block.key === undefined && isAdjacent) pieces.at(-1)?.push(block);
    else if (block.key === undefined) pieces.push([block]);
    else if (!kept.has(block.key)) {
      isAfterGone ||= pieces.length === 0;
      isLast &&= pieces.length === 0 || endsSection(block);
    } else {
      isLast &&= endsSection(block);
      close(block.key);
      after = block.key;
    }
    isAdjacent = block.key === undefined;
  }
  close(undefined);
  return runs;
}

/** Whether an ingest block begins another section, or is one of the links at the end. */
function endsSection({ key, text }: Pick<FileBlock, "key" | "text">): boolean {
  return key === "links" || key === "parts" || /^#{1,6}\s/.test(text);
}

/** Returns the last block of the section that contains a block. */
function lastOfSection(blocks: readonly RenderedBlock[], key: string): string {
  const start = blocks.findIndex((block) => block.key === key);
  const end = blocks.findIndex((block, index) => index > start && endsSection(block));
  return blocks.at(end < 0 ? -1 : end - 1)?.key ?? key;
}

/** Returns adjacent blocks as written in the file, with the blank lines between them. */
function sliceOf(body: string, blocks: readonly FileBlock[]): string {
  const [first, last] = [blocks[0], blocks.at(-1)];
  return first === undefined || last === undefined ? "" : body.slice(first.offset, last.offset + last.text.length);
}
