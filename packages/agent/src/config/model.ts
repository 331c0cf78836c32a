/** The schema of `model`. Each provider has exactly the keys that its host defines. */
import { agentModelForms } from "@bridle/project";
import type { AgentModelForm } from "@bridle/protocol";
import { z } from "zod";
import { text } from "./fields.ts";

/** The keys of every model. */
const common = {
  name: text("The model, by alias or full id, such as sonnet."),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .exactOptional()
    .describe("The randomness of the model's output. Claude Code does not support it: Bridle shows a warning."),
  top_p: z
    .number()
    .min(0)
    .max(1)
    .exactOptional()
    .describe(
      "The cumulative probability of the tokens to choose from. Claude Code does not support it: Bridle shows a warning.",
    ),
  max_tokens: z.int().min(1).exactOptional().describe("The maximum number of tokens in one answer."),
};

/** The model of an agent. Each provider adds its own keys. */
export interface ModelConfig {
  readonly provider: string;
  /** The host that runs the model, if several can. */
  readonly runtime?: string;
  readonly name: string;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_tokens?: number;
  readonly [key: string]: unknown;
}

/** Returns the forms of `model` by provider. If `runtime` is missing, the last form of the provider is used. */
function formsByProvider(): Map<string, AgentModelForm[]> {
  return Map.groupBy(agentModelForms(), ({ provider }) => provider);
}

/** Finds the form that a model has. */
export function findModelForm({ provider, runtime }: Pick<ModelConfig, "provider" | "runtime">): AgentModelForm {
  const forms = formsByProvider().get(provider) ?? [];
  const found = forms.find((form) => form.runtime === runtime) ?? forms.at(-1);
  if (found === undefined) throw new Error(`There is no provider "${provider}".`);
  return found;
}

function createMapping(provider: string, forms: readonly AgentModelForm[]) {
  const runtimes = forms.flatMap(({ runtime }) => runtime ?? []);
  const shape: Record<string, z.ZodType> = Object.assign({}, ...forms.map((form) => form.shape));
  const mapping = z.strictObject({
    provider: z.literal(provider).describe("The host that runs the model."),
    ...common,
    ...(runtimes.length > 1 && { runtime: createRuntimeField(runtimes) }),
    ...shape,
  });
  const checks = forms.flatMap(({ check }) => check ?? []) as z.core.CheckFn<object>[];
  return checks.length > 0 ? mapping.check(...checks) : mapping;
}

function createRuntimeField(runtimes: readonly string[]) {
  const [usual = "", ...others] = runtimes.toReversed();
  return z
    .enum([usual, ...others])
    .exactOptional()
    .describe(`${others.join(", ")} runs the model through Claude Code instead of the model API. Default: ${usual}.`);
}

const mappings = [...formsByProvider()].map(([provider, forms]) => createMapping(provider, forms));
const [first, ...others] = mappings;
if (first === undefined) throw new Error("No host has a model for an agent file.");

export const modelSchema = z.discriminatedUnion("provider", [first, ...others], {
  error: ({ input }) =>
    typeof input === "string" ? "is a text. Write it as { provider: …, name: … }, with the model as name" : undefined,
}) as unknown as z.ZodType<ModelConfig, object>;
