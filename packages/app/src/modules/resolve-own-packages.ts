import { type ResolveHookSync, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

let isRegistered = false;

/**
 * Lets the user's modules import `bridle` and `zod` from any folder. The packages of their own folder come first; Bridle's
 * copies are only used if there are none.
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
