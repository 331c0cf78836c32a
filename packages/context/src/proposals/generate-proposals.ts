import type { z } from "zod";

/** Asks the model of the role `model` for an object. The `generateObject` of a runtime fits. */
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
