import { type FolderEffect, omitUndefined } from "@bridle/protocol";
import type { ParsedConfig } from "../config/parse.ts";
import { policyEffects } from "../trust/setting-effects.ts";
import type { Settings } from "./settings.ts";

/** The settings with the rules of a file that was read later. Everything else is as it was. */
export function withLaterRules(settings: Settings, { config, positions, written, values }: ParsedConfig): Settings {
  const { policy: _before, ...kept } = settings;
  return omitUndefined({
    ...kept,
    policy: config.policy,
    positions: replaceRules(settings.positions, positions),
    written: replaceRules(settings.written, written),
    values: [...settings.values, ...values],
  });
}

/** Whether these rules let calls run without a question that the earlier ones do not. Trust in a folder is asked for them anew. */
export function skipMoreQuestions(later: Settings, earlier: Settings): boolean {
  const before = new Set(skipped(earlier).map(({ subject }) => subject));
  return skipped(later).some(({ subject }) => !before.has(subject));
}

function skipped({ policy, written }: Settings): readonly FolderEffect[] {
  return policyEffects(policy, written);
}

function replaceRules<Value>(
  before: Readonly<Record<string, Value>>,
  later: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  const isRule = ([path]: readonly [string, Value]) => /^policy(?:\.|$)/.test(path);
  const kept = Object.entries(before).filter((entry) => !isRule(entry));
  return Object.fromEntries([...kept, ...Object.entries(later).filter(isRule)]);
}
