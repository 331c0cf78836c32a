import { createContext, Script } from "node:vm";

const call = new Script("run()");

/**
 * What a function returns, or `undefined` where it takes longer than that many milliseconds, which stops it. It has to be
 * synchronous, and must leave nothing half done that somebody looks at. Throws what it throws.
 */
export function inTime<T>(run: () => T, milliseconds: number): { readonly value: T } | undefined {
  let finish: (() => { readonly value: T }) | undefined;
  const place = createContext({
    run: () => {
      finish = ending(run);
    },
  });
  try {
    call.runInContext(place, { timeout: milliseconds });
  } catch {
    return undefined; // the time is over: what the function itself throws does not come this way
  }
  return finish?.();
}

/** Runs a function, and gives its ending as one that can be had later. */
function ending<T>(run: () => T): () => { readonly value: T } {
  try {
    const value = run();
    return () => ({ value });
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
