/** Marks the parts of a prompt that may be cached. Claude needs these marks on every host. */
import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import { omitUndefined, type PromptCaching } from "@bridle/protocol";

type Ttl = PromptCaching["systemTtl"];

/** The lifetime of each mark that is set. */
export interface CacheMarks {
  tools?: Ttl;
  system?: Ttl;
  history?: Ttl;
}

/**
 * Returns the lifetimes of the marks. Hosts read tools, system and history in this order, and accept a longer lifetime only before a
 * shorter one. An earlier mark therefore gets the lifetime of a later mark if the later one's is longer.
 */
export function cacheMarks(caching: PromptCaching): CacheMarks {
  if (!caching.enabled) return {};
  const history = caching.cacheHistory ? caching.historyTtl : undefined;
  const system = caching.cacheSystem ? longer(caching.systemTtl, history) : undefined;
  const tools = caching.cacheTools ? longer(caching.toolsTtl, system ?? history) : undefined;
  return omitUndefined({ tools, system, history });
}

function longer(a: Ttl, b: Ttl | undefined): Ttl {
  return a === "1h" || b === "1h" ? "1h" : "5m";
}

/** Returns the lifetime that all marks share; undefined if they differ. */
export function commonTtl({ tools, system, history }: CacheMarks): Ttl | undefined {
  const set = new Set([tools, system, history].filter((ttl) => ttl !== undefined));
  return set.size === 1 ? [...set][0] : undefined;
}

function mark(ttl: Ttl): SharedV4ProviderOptions {
  return { anthropic: { cacheControl: ttl === "1h" ? { type: "ephemeral", ttl } : { type: "ephemeral" } } };
}

/** Returns the tools with a mark on the last one. */
export function markTools(tools: readonly LanguageModelV4FunctionTool[], { tools: ttl }: CacheMarks) {
  if (ttl === undefined) return [...tools];
  return tools.map((tool, index) => (index === tools.length - 1 ? { ...tool, providerOptions: mark(ttl) } : tool));
}

/** Returns the prompt with a mark on its last message, and on its first message if that message is the static part of the system prompt. */
export function markPrompt(
  prompt: LanguageModelV4Prompt,
  { system, history }: CacheMarks,
  hasStatic: boolean,
): LanguageModelV4Prompt {
  return prompt.map((message, index): LanguageModelV4Message => {
    if (message.role === "system") {
      return index === 0 && hasStatic && system ? { ...message, providerOptions: mark(system) } : message;
    }
    return index === prompt.length - 1 && history ? { ...message, providerOptions: mark(history) } : message;
  });
}
