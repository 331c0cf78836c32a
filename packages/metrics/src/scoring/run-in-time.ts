import { createContext, Script } from "node:vm";

const call = new Script("run()");

/**
 * Runs a function and returns its value, or `undefined` if it takes longer than `milliseconds`; it is aborted then. The
 * function has to be synchronous and must not leave shared state half written. Errors of the function are thrown.
 */
export function runInTime<T>(run: () => T, milliseconds: number): { readonly value: T } | undefined {
  let outcome: (() => { readonly value: T }) | undefined;
  const context = createContext({
    run: () => {
      outcome = outcomeOf(run);
    },
  });
  try {
    call.runInContext(context, { timeout: milliseconds });
  } catch {
    return undefined; // only the timeout arrives here: errors of the function are part of its outcome
  }
  return outcome?.();
}

/** Runs a function now. The result returns its value or throws its error. */
function outcomeOf<T>(run: () => T): () => { readonly value: T } {
  try {
    const value = run();
    return () => ({ value });
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
