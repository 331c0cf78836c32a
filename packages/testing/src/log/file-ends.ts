import { closeSync, fstatSync, readSync } from "node:fs";
import { openRegularFileSync } from "@bridle/core";

const newline = 0x0a;
const blockBytes = 65_536;

/** The maximum length of a string in memory. */
export const maxLogBytes = 500_000_000;

/** Reads the first line and the last complete line of a file, but not the lines in between. */
export interface FileEnds {
  /** The lines; `undefined` if not even the first line is complete. */
  readonly first: string | undefined;
  readonly last: string | undefined;
}

export function readEnds(path: string): FileEnds {
  const file = openRegularFileSync(path, maxLogBytes);
  try {
    const { size } = fstatSync(file);
    const first = firstLine(file, size);
    return { first, last: first === undefined ? undefined : lastLine(file, size) };
  } finally {
    closeSync(file);
  }
}

function firstLine(file: number, size: number): string | undefined {
  const blocks: Buffer[] = [];
  for (let at = 0; at < size; at += blockBytes) {
    const block = readBlock(file, at, Math.min(size, at + blockBytes));
    const end = block.indexOf(newline);
    blocks.push(end < 0 ? block : block.subarray(0, end));
    if (end >= 0) return Buffer.concat(blocks).toString("utf8");
  }
  return undefined;
}

/** Reads the last complete line of a file that has at least one. */
function lastLine(file: number, size: number): string {
  let tail: Buffer = Buffer.alloc(0);
  for (let at = size; at > 0; ) {
    const from = Math.max(0, at - blockBytes);
    tail = Buffer.concat([readBlock(file, from, at), tail]);
    at = from;
    const end = tail.lastIndexOf(newline);
    const before = end <= 0 ? -1 : tail.lastIndexOf(newline, end - 1);
    if (before >= 0) return tail.toString("utf8", before + 1, end);
  }
  return tail.toString("utf8", 0, tail.lastIndexOf(newline));
}

function readBlock(file: number, from: number, to: number): Buffer {
  const block = Buffer.alloc(to - from);
  return block.subarray(0, readSync(file, block, 0, block.length, from));
}
