import { sha256 } from "@bridle/core";

/** The key of an answer: differs if anything differs that the answer depends on. Contract: the parts are JSON. */
export function answerKey(stage: string, ...parts: readonly unknown[]): string {
  return sha256(JSON.stringify([stage, ...parts]));
}
