/** The features of Copilot's runtime with a key (observed on 1.0.14). */
import type { BackendFeatures } from "@bridle/protocol";
import { copilotSettingNames } from "./boundary/session-options.ts";

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
    "Texts of one message are joined, and its images follow them.",
    "A login of GitHub cannot be used: it has not been shown that the boundary holds with one.",
  ],
};
