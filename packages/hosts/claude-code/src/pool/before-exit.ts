/**
 * Runs callbacks when this program has no work left. Idle processes do not keep a program alive. If a program does not call `close()`,
 * these callbacks end its idle processes, so that no process or folder remains.
 */
const callbacks = new Set<() => Promise<void>>();
const onBeforeExit = () => void Promise.all([...callbacks].map((callback) => callback()));

/** Registers a callback and returns a function that removes it. All callbacks share one listener. */
export function runBeforeExit(callback: () => Promise<void>): () => void {
  if (callbacks.size === 0) process.on("beforeExit", onBeforeExit);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) process.off("beforeExit", onBeforeExit);
  };
}
