import type { LanguageModelV4, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { PriceTable } from "@bridle/host-shared";
import type { ConversationSpec } from "@bridle/protocol";
import type { Fetch } from "../transport/transport.ts";
import type { KnownModel } from "./known-models.ts";

/**
 * What differs between backends.
 *
 * Contract: creating a wiring throws a ConfigError for a missing setting. It reads nothing from the environment and uses no network. Only
 * `load` imports the provider's module.
 */
export interface Wiring {
  /** The `gen_ai.provider.name` of the OpenTelemetry conventions, if it differs from the id. */
  telemetryProvider?: string;
  /** The address that requests are sent to, for errors and to distinguish accounts. */
  baseUrl: string;
  /** The credential, which identifies who pays. Only its hash is ever shown. */
  credential: string;
  /** The auth mode, for `checkAuth`. */
  mode: string;
  /** The remedy for refused credentials, as a sentence. */
  authRemedy: string;
  knownModels: readonly KnownModel[];
  prices: PriceTable;
  /** The model that `checkAuth` uses if the options name none. */
  probeModel?: string | undefined;
  /** The lowest limit for output tokens that the host accepts. */
  minOutputTokens: number;
  /** Whether a model, like Claude, needs marks in its prompt for caching. */
  takesCacheMarks(model: string): boolean;
  /** Whether the host accepts only one system message. */
  systemInOne: boolean;
  /** Whether the module passes on the beginning of an answer, with its tokens, only among its raw parts. */
  beginsInRawParts?: boolean;
  /** Whether the protocol can mark a tool result as an error. If not, only the result's text shows the error. */
  marksErrors: boolean;
  /** How images of tool results reach the model: in the result, in a user message after it, or not at all. */
  resultImages: "in-result" | "after-results" | "none";
  /**
   * Returns how an object is requested from a model: with the unchanged schema, with a schema in the form of OpenAI's structured output, or
   * with an instruction in words.
   */
  schemaForm(model: string): "plain" | "openai" | "words";
  /** Limitations, as sentences for `status` and `doctor`. */
  degraded: readonly string[];
  /** Returns the host's own id for a model name or an alias. Throws a ModelNotFoundError for a model that the host cannot have. */
  resolveModel(name: string): string;
  providerOptions?(request: { spec: ConversationSpec; strict: boolean }): SharedV4ProviderOptions;
  /** The host's list of models; `path` is relative to the base URL. */
  listing?: { path: string; headers: Readonly<Record<string, string>> };
  load(fetch: Fetch): Promise<(modelId: string) => LanguageModelV4>;
}

/**
 * Requests Claude's tool arguments in one piece. By default, the modules request a stream of arguments, for which the host does not
 * guarantee valid JSON. Bridle does not need the stream.
 */
export const wholeCalls: SharedV4ProviderOptions = { anthropic: { toolStreaming: false } };
