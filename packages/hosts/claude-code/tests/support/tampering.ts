import type { Options } from "@anthropic-ai/claude-agent-sdk";

/** A change to the SDK's options, as a careless edit of the boundary would make. */
export type Change = (options: Options) => Options;

export function without(...keys: (keyof Options)[]): Change {
  return (options) => Object.fromEntries(Object.entries(options).filter(([key]) => !keys.some((gone) => gone === key)));
}

export function withOptions(change: Options): Change {
  return (options) => ({ ...options, ...change });
}

export function withEnvironment(change: Record<string, string | undefined>): Change {
  return (options) => ({ ...options, env: { ...options.env, ...change } });
}

export function withSettings(change: object): Change {
  return (options) => ({ ...options, settings: { ...Object(options.settings), ...change } });
}

export function all(...changes: Change[]): Change {
  return (options) => changes.reduce((changed, change) => change(changed), options);
}
