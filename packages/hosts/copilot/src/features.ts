/** The features of Copilot's runtime (observed on 1.0.14). */
import type { BackendFeatures, ConversationSpec } from "@bridle/protocol";
import type { ProviderConfig } from "@github/copilot-sdk";
import { objectToolName } from "./boundary/object-tool.ts";
import { copilotSettingNames } from "./boundary/session-options.ts";
import type { CopilotAuthMode } from "./options.ts";

const copilotFeatures: BackendFeatures = {
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
  ],
};

/** The features with a GitHub login. GitHub determines the cost of a request, so the cost is unknown until the response. */
const loginFeatures: BackendFeatures = {
  ...copilotFeatures,
  costBudget: false,
  degraded: [
    ...copilotFeatures.degraded,
    "A login of GitHub was proved on a rehearsed service only, not on GitHub's own.",
    "Logins in the keyring of the operating system cannot be used, only a token in the settings or in Copilot's file.",
  ],
};

export function featuresFor(auth: CopilotAuthMode): BackendFeatures {
  return auth === "session" ? loginFeatures : copilotFeatures;
}

/** Returns what the runtime adds to or changes in the requests of a conversation (observed on 1.0.14). */
export function copilotAdditions(
  { hostSettings = {}, outputSchema, tools }: ConversationSpec,
  provider: ProviderConfig | undefined,
): string[] {
  const schemas = "keywords that limit a value, such as minLength, as words in the descriptions of schemas";
  const effort = hostSettings.effort === undefined ? ["the reasoning effort medium"] : [];
  return [
    ...(provider ? keyAdditions(provider, effort) : [...loginAdditions, ...effort]),
    ...(tools.length > 0 || outputSchema ? [schemas] : []),
    ...(outputSchema ? [`the tool ${objectToolName}, which the model calls to return the object`] : []),
  ];
}

function keyAdditions({ type, wireApi }: ProviderConfig, effort: readonly string[]): string[] {
  return [
    "headers that name the client library and this system",
    ...(type === "anthropic" ? anthropicAdditions : effort),
    ...(type !== "anthropic" && wireApi === "responses"
      ? ["a prompt_cache_key, and the request for summaries of the reasoning"]
      : []),
    ...(wireApi === "completions" ? ["the temperature 1"] : []),
  ];
}

const anthropicAdditions = [
  "the temperature 1, a thinking budget, and a limit of the answer",
  "marks for prompt caching",
];

/** The additions with a login. GitHub's list of models determines the protocol of a model. */
const loginAdditions = [
  "headers that name the client and this system, with ids of the session, of the request and of this process",
  "depending on the protocol of the model: the request for summaries of the reasoning; or the temperature 1; or the temperature 1, a thinking budget, a limit of the answer, and marks for prompt caching",
];
