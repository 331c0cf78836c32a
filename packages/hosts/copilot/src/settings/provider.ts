import { ConfigError, omitUndefined } from "@bridle/protocol";
import type { ProviderConfig } from "@github/copilot-sdk";
import { boundlessTokens } from "../boundary/session-options.ts";
import type { CopilotApi, CopilotOptions } from "../options.ts";

const standardAddresses: Readonly<Record<CopilotApi, string | undefined>> = {
  openai: "https://api.openai.com/v1",
  azure: undefined,
  anthropic: "https://api.anthropic.com",
};

/**
 * A limit that is never reached, so that Bridle's engine compacts the conversation and logs that. At a lower limit, the runtime itself
 * would compact.
 */
const maxPromptTokens = boundlessTokens;

export function baseUrlOf({ api = "openai", baseUrl }: CopilotOptions): string {
  const address = baseUrl ?? standardAddresses[api];
  if (address !== undefined) return address.replace(/\/+$/, "");
  throw missingSetting("baseUrl", "the address of the resource, such as https://my-resource.openai.azure.com");
}

/** Converts the settings to the SDK's form. Throws ConfigError if a setting is missing or contradicts another. */
export function toProvider(options: CopilotOptions): ProviderConfig {
  const { api = "openai", wireApi = "responses", apiKey } = options;
  const baseUrl = baseUrlOf(options);
  if (apiKey === undefined && options.baseUrl === undefined) throw missingSetting("apiKey", "the key that pays");
  if (api === "anthropic") return omitUndefined({ type: api, baseUrl, apiKey, maxPromptTokens });
  return omitUndefined({ type: api, wireApi, baseUrl, apiKey, maxPromptTokens });
}

function missingSetting(option: string, what: string): ConfigError {
  const field = `llm.provider.${option}`;
  return new ConfigError(`The backend copilot has no ${option}. Set ${field} to ${what}.`, { field });
}
