import { sha256 } from "@bridle/core";

/** Returns the key of an answer, which differs if any input of the answer differs. Contract: the parts are JSON. */
export function answerKey(stage: string, ...parts: readonly unknown[]): string {
  return sha256(JSON.stringify([stage, ...parts]));
}
