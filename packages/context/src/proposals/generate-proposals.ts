import type { z } from "zod";

/** Asks the model with the role `model` for an object. A runtime's `generateObject` can be used. */
export type GenerateProposals = <T>(request: {
  readonly role: "model";
  readonly system: string;
  readonly prompt: string;
  readonly schema: z.ZodType<T>;
  readonly signal?: AbortSignal | undefined;
}) => Promise<{
  readonly object: T;
  /** The model that answered. */
  readonly model?: string | undefined;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
}>;
