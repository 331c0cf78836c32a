/**
 * Models that are known without asking a host: for aliases, for suggestions, and for hosts that list no models. Names and
 * context windows are from platform.claude.com and from the provider modules in use (October 2026).
 */

import { anthropicPrices, openaiPrices, type Price, type PriceTable, priceOf } from "@bridle/host-shared";
import { omitUndefined } from "@bridle/protocol";

export interface KnownModel {
  id: string;
  displayName?: string;
  /** The context window in tokens. */
  contextWindow?: number;
  price?: Price;
}

/** The date when the models were last compared with the sources. */
export const modelsAsOf = "2026-10-24";

const million = 1_000_000;
const claude = [
  ["claude-fable-5-2", "Claude Fable 5.2", undefined],
  ["claude-fable-5-1", "Claude Fable 5.1", million],
  ["claude-opus-5-5", "Claude Opus 5.5", million],
  ["claude-opus-5", "Claude Opus 5", million],
  ["claude-sonnet-5-5", "Claude Sonnet 5.5", million],
  ["claude-sonnet-5", "Claude Sonnet 5", million],
  ["claude-haiku-5-5", "Claude Haiku 5.5", million],
  ["claude-haiku-4-5", "Claude Haiku 4.5", 200_000],
  ["claude-opus-4-8", "Claude Opus 4.8", million],
  ["claude-sonnet-4-6", "Claude Sonnet 4.6", million],
] as const;

/** Aliases for the newest model of each family. */
export const claudeAliases: Readonly<Record<string, string>> = {
  opus: "claude-opus-5-5",
  sonnet: "claude-sonnet-5-5",
  haiku: "claude-haiku-5-5",
};

export const claudeModels: readonly KnownModel[] = priced(anthropicPrices, claude);
/** Google uses Anthropic's names for Claude's models, but sets its own prices. */
export const vertexModels: readonly KnownModel[] = priced({}, claude);
export const bedrockModels: readonly KnownModel[] = priced(
  {},
  claude
    .filter(([id]) => /-(opus-5|sonnet-5|fable-5-1)/.test(id))
    .map(([id, name, window]) => [`anthropic.${id}`, name, window] as const),
);
export const gatewayModels: readonly KnownModel[] = priced(
  {},
  claude.map(([id, name, window]) => [`anthropic/${id.replace(/-(\d)-(\d)$/, "-$1.$2")}`, name, window] as const),
);
export const openaiModels: readonly KnownModel[] = priced(openaiPrices, [
  ["gpt-6-astra", "GPT-6 Astra", undefined],
  ["gpt-6-sol", "GPT-6 Sol", 1_050_000],
  ["gpt-6-luna", "GPT-6 Luna", 1_050_000],
]);

type Row = readonly [id: string, displayName: string, contextWindow: number | undefined];

function priced(prices: PriceTable, rows: readonly Row[]): readonly KnownModel[] {
  return rows.map(([id, displayName, contextWindow]) => {
    return omitUndefined({ id, displayName, contextWindow, price: priceOf(id, prices) });
  });
}
