/** The features of Copilot's runtime with a key (observed on 1.0.14). */
import type { BackendFeatures, ConversationSpec } from "@bridle/protocol";
import type { ProviderConfig } from "@github/copilot-sdk";
import { copilotSettingNames } from "./boundary/session-options.ts";
import { objectToolName } from "./turn/object-tool.ts";

export const copilotFeatures: BackendFeatures = {
  structuredOutput: true,
  history: true,
  parts: ["text", "image"],
  resultImages: true,
  offersLater: false,
  maxOutputTokens: false,
  sampling: false,
  costBudget: true,
  builtins: {},
  hostSettings: copilotSettingNames,
  promptCaching: [],
  maxResultChars: Number.POSITIVE_INFINITY,
  degraded: [
    "Sampling parameters such as temperature cannot be set, nor can the length of an answer be limited.",
    "The model returns an object by calling a tool, which it cannot be forced to call.",
    "The runtime repeats failed requests by itself, a second apart. Only their number can be limited.",
    "Keywords that limit a value, such as minLength, reach the model as words in the descriptions of schemas. Bridle checks the inputs for them.",
    "Texts of one message are joined, and its images follow them.",
    "A login of GitHub cannot be used, only a key.",
  ],
};

/** What the runtime adds to the requests of a conversation, or changes in them (observed on 1.0.14). */
export function copilotAdditions(
  { hostSettings = {}, outputSchema, tools }: ConversationSpec,
  { type, wireApi }: ProviderConfig,
): string[] {
  const effort = hostSettings.effort === undefined ? ["the reasoning effort medium"] : [];
  const headers = "headers that name the client library and this system";
  const schemas = "keywords that limit a value, such as minLength, as words in the descriptions of schemas";
  return [
    headers,
    ...(type === "anthropic" ? anthropicAdditions : effort),
    ...(type !== "anthropic" && wireApi === "responses"
      ? ["a prompt_cache_key, and the request for summaries of the reasoning"]
      : []),
    ...(wireApi === "completions" ? ["the temperature 1"] : []),
    ...(tools.length > 0 || outputSchema ? [schemas] : []),
    ...(outputSchema ? [`the tool ${objectToolName}, with which the model returns the object`] : []),
  ];
}

const anthropicAdditions = [
  "the temperature 1, a thinking budget, and a limit of the answer",
  "marks for prompt caching",
];
