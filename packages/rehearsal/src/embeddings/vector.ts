import { createHash } from "node:crypto";

/**
 * A vector of unit length for a text: always the same for the same text, and closer to that of another text the more words
 * they share.
 */
export function toVector(text: string, dimensions: number): number[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const directions = [...words.map((word) => direction(word, dimensions)), direction(`text ${text}`, dimensions)];
  const sum = Array.from({ length: dimensions }, (_, index) =>
    directions.reduce((all, each) => all + (each[index] ?? 0), 0),
  );
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

/** Numbers between -1 and 1, determined by the seed. */
function direction(seed: string, dimensions: number): number[] {
  const blocks = Array.from({ length: Math.ceil(dimensions / 8) }, (_, block) =>
    createHash("sha256").update(`${block} ${seed}`).digest(),
  );
  const bytes = Buffer.concat(blocks);
  return Array.from({ length: dimensions }, (_, index) => bytes.readInt32LE(index * 4) / 2 ** 31);
}
