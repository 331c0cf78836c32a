import type { z } from "zod";

/** Requests an object from the model with role `model`. A runtime's `generateObject` can be used. */
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
