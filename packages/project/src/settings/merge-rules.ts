import type { ParsedConfig } from "../config/parse.ts";

/** Replaces the rules of a file with those of another file. Everything else stays unchanged. */
export function mergeRules(own: ParsedConfig, { config, positions, written, values }: ParsedConfig): ParsedConfig {
  const { policy: _before, ...kept } = own.config;
  return {
    ...own,
    config: config.policy === undefined ? kept : { ...kept, policy: config.policy },
    positions: replaceRules(own.positions, positions),
    written: replaceRules(own.written, written),
    values: [...own.values, ...values],
  };
}

function replaceRules<Value>(
  before: Readonly<Record<string, Value>>,
  later: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  const isRule = ([path]: readonly [string, Value]) => /^policy(?:\.|$)/.test(path);
  const kept = Object.entries(before).filter((entry) => !isRule(entry));
  return Object.fromEntries([...kept, ...Object.entries(later).filter(isRule)]);
}
