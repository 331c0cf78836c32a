/** The parts of an embeddings request that the rehearsal reads. Other parts are ignored. */
import { z } from "zod";

const tokens = z.array(z.number().int()).min(1);
const text = z.string().min(1, "input cannot be an empty string");

/** One or more inputs, each as text or as tokens. */
const input = z.union([
  text.transform((one) => [one]),
  tokens.transform((one) => [one.join(" ")]),
  z.array(text).min(1).max(2048),
  z
    .array(tokens.transform((one) => one.join(" ")))
    .min(1)
    .max(2048),
]);

export const embeddingsRequest = z.looseObject({
  model: z.string().optional(),
  input,
  dimensions: z.number().int().positive().optional(),
  encoding_format: z.enum(["float", "base64"]).default("float"),
});

export type EmbeddingsRequest = z.output<typeof embeddingsRequest>;
