import { createHash } from "node:crypto";

/** Returns a number from 0 to 1 that depends only on the parts. */
export function drawFrom(...parts: readonly (string | number)[]): number {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}

/** Picks one of the choices. */
export function pickFrom<T>(choices: readonly [T, ...T[]], ...parts: readonly (string | number)[]): T {
  return choices[Math.floor(drawFrom(...parts) * choices.length)] ?? choices[0];
}
