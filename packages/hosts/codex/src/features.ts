/** The features of Codex, and the text that Codex adds to requests (observed on 0.169.0). */
import type { BackendFeatures, ConversationSpec } from "@bridle/protocol";
import { applyPatch, opensPatches } from "./boundary/opened-tools.ts";
import { objectRequest } from "./boundary/thread-options.ts";
import { codexSettingNames } from "./settings/host-settings.ts";

export const codexFeatures: BackendFeatures = {
  structuredOutput: true,
  history: true,
  parts: ["text", "image"],
  resultImages: true,
  outstandingCalls: "all",
  offersLater: false, // `thread/settings/update` accepts other tools, but ignores them
  maxOutputTokens: false,
  sampling: false,
  costBudget: false,
  builtins: { [applyPatch]: { destructive: true } },
  hostSettings: codexSettingNames,
  promptCaching: [],
  maxResultChars: 1_000_000,
  degraded: [
    "Sampling parameters such as temperature, and maxOutputTokens, cannot be set.",
    "Prompt caching is automatic: it can neither be marked nor switched off.",
    "Codex leaves keywords such as minimum and default out of the schemas of tools that it sends. Bridle checks the inputs for them.",
    "A call with an unknown tool or with malformed JSON is refused by Codex itself. Calls after an unknown tool run after those before it.",
    "If every call of the last step has an unknown tool, Codex may send one more request, which is broken off.",
    "Codex's protocol for programs is experimental, so exactly one version is supported.",
    "Logins in the keyring of the operating system cannot be used, only those in the file auth.json.",
  ],
};

/** Lists what Codex adds to the requests of a conversation. */
export function codexAdditionsTo(spec: ConversationSpec): string[] {
  const { instruction } = objectRequest(spec.outputSchema);
  return [
    ...additions,
    ...(instruction === undefined ? [] : [objectAddition]),
    ...(opensPatches(spec) ? [patchAddition] : []),
  ];
}

const additions: readonly string[] = [
  "ids of the conversation, of its turns and of this installation, the model, the state of the sandbox, and whether the working folder is in a Git repository, in headers and in client_metadata",
  "headers with the name and version of Codex, the operating system and the terminal",
  "reasoning effort and verbosity of the model's catalog, if the caller sets none",
];

const patchAddition = `the description and the grammar of ${applyPatch}, and results of it that name absolute paths of files`;
const objectAddition = "an instruction to answer with JSON that matches the schema";
