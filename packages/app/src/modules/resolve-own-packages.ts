import { type ResolveHookSync, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

let isRegistered = false;

/**
 * Lets the user's modules import `bridle` and `zod` from any folder. Packages in their own folder take precedence; Bridle's copies
 * are only a fallback.
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
