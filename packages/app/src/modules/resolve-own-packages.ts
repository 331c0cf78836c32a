import { type ResolveHookSync, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

let isRegistered = false;

/**
 * Lets a tools file import `bridle` and `zod` wherever it lies. What its own folder has comes first; only where that
 * has none, our own copy is taken.
 */
export function resolveOwnPackages(packageRoot: string): void {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({ resolve: fallBackTo(pathToFileURL(`${packageRoot}/package.json`).href) });
}

function fallBackTo(ourUrl: string): ResolveHookSync {
  return (specifier, context, next) => {
    try {
      return next(specifier, context);
    } catch (error) {
      if (!/^(bridle|zod)(\/|$)/.test(specifier) || context.parentURL === ourUrl) throw error;
      return next(specifier, { ...context, parentURL: ourUrl });
    }
  };
}
