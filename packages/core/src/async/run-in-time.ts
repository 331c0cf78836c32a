import { type Context, createContext, Script } from "node:vm";

const call = new Script("run()");

/** Making a context takes about a millisecond, so all calls share one. */
let shared: (Context & { run?: (() => void) | undefined }) | undefined;

/**
 * Runs a function and returns its value. If the function takes longer than `milliseconds`, aborts it and returns `undefined`. The function
 * has to be synchronous and must not leave shared state half written. Its errors are thrown.
 */
export function runInTime<T>(run: () => T, milliseconds: number): { readonly value: T } | undefined {
  let outcome: (() => { readonly value: T }) | undefined;
  shared ??= createContext({});
  shared.run = () => {
    outcome = outcomeOf(run);
  };
  try {
    call.runInContext(shared, { timeout: milliseconds });
  } catch {
    return undefined; // only the timeout arrives here: errors of the function are part of its outcome
  } finally {
    shared.run = undefined;
  }
  return outcome?.();
}

/** Runs a function immediately. Returns a function that returns its value or throws its error. */
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
