import { createHash } from "node:crypto";

/**
 * Returns a vector of unit length that depends only on the text. The more words two texts share, the closer their vectors are.
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

/** Returns numbers between -1 and 1 that depend only on the seed. */
function direction(seed: string, dimensions: number): number[] {
  const blocks = Array.from({ length: Math.ceil(dimensions / 8) }, (_, block) =>
    createHash("sha256").update(`${block} ${seed}`).digest(),
  );
  const bytes = Buffer.concat(blocks);
  return Array.from({ length: dimensions }, (_, index) => bytes.readInt32LE(index * 4) / 2 ** 31);
}
