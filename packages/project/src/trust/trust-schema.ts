import { effectKinds, type TrustedState } from "@bridle/protocol";
import { z } from "zod";

const effectSchema = z.strictObject({
  kind: z.enum(effectKinds).describe("runs, skips-questions, sends or reads."),
  subject: z.string().describe("The effect as written in the file, without values of variables."),
  file: z.string().describe("The file that has the effect."),
  field: z.string().describe("The path of its key."),
});

/** The effects of files, and whether the user trusts them. */
export const trustSchema = z.strictObject({
  isTrusted: z.boolean().describe("Whether all of it may happen. True if there is nothing to trust."),
  effects: z.array(effectSchema).describe("What the files run, send and read; which questions they skip."),
});
export type TrustSummary = z.output<typeof trustSchema>;

/** Lists the effects of several files, the gravest kind first. */
export function summarizeTrust(states: readonly TrustedState[]): TrustSummary {
  const effects = states.flatMap(({ path, effects: own }) =>
    own.map(({ kind, subject, field }) => ({ kind, subject, file: path, field })),
  );
  const inOrder = effectKinds.flatMap((kind) => effects.filter((effect) => effect.kind === kind));
  return { isTrusted: states.every(({ isTrusted }) => isTrusted), effects: inOrder };
}
