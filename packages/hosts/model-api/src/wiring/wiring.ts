import type { LanguageModelV4, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ConversationSpec } from "@bridle/protocol";
import type { KnownModel } from "../models/known-models.ts";
import type { PriceTable } from "../models/prices.ts";
import type { Fetch } from "../request/transport.ts";

/**
 * What is particular to one backend; all else is the same for each.
 *
 * Contract: making one throws a ConfigError for a setting that is missing, and asks neither the environment nor the
 * network. Only `load` imports the provider's module.
 */
export interface Wiring {
  /** Where requests go, for errors and for telling accounts apart. */
  baseUrl: string;
  /** What tells one payer from another; only its hash is ever shown. */
  credential: string;
  /** The auth mode, for `checkAuth`. */
  mode: string;
  authRemedy: string;
  knownModels: readonly KnownModel[];
  prices: PriceTable;
  /** What `checkAuth` asks, where the options name no model. */
  probeModel?: string;
  /** The smallest answer that the host can be asked for, in tokens. */
  leastOutputTokens: number;
  /** Whether a model wants its prompt marked for caching, as Claude does. */
  takesCacheMarks(model: string): boolean;
  /** The host takes a single system message. */
  systemInOne: boolean;
  /** The host can be told that a tool's result is an error; else the words have to do. */
  marksErrors: boolean;
  /**
   * How a model is asked for an object: with the schema as it is, in the form of OpenAI's structured output, or by an
   * instruction in words.
   */
  schemaForm(model: string): "plain" | "openai" | "words";
  degraded: readonly string[];
  /** The host's own id for a name or an alias. Throws ModelNotFoundError for one that it cannot have. */
  resolveModel(name: string): string;
  providerOptions?(request: { spec: ConversationSpec; strict: boolean }): SharedV4ProviderOptions;
  /** The host's listing of models, below its base URL. */
  listing?: { path: string; headers: Readonly<Record<string, string>> };
  load(fetch: Fetch): Promise<(modelId: string) => LanguageModelV4>;
}

/**
 * Claude's arguments in one piece. By default the modules ask for them as they are written, which nobody here reads,
 * and which the host then does not check to be JSON.
 */
export const wholeCalls: SharedV4ProviderOptions = { anthropic: { toolStreaming: false } };
