import { sha256 } from "@bridle/core";

/** Returns the key of an answer. Two keys differ if any input of the answers differs. Contract: the parts are JSON. */
export function answerKey(stage: string, ...parts: readonly unknown[]): string {
  return sha256(JSON.stringify([stage, ...parts]));
}
