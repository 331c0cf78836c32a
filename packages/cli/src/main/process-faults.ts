/** Ends this process. The code of tools cannot replace this function. */
export const exitProcess: (code: number) => never = process.exit.bind(process);

type Listener = (error: unknown) => void;

const listeners = new Set<Listener>();
let isWatching = false;

/**
 * Calls the listener for faults that the code of a tool causes in the whole process: uncaught errors, unhandled rejections, and calls to
 * `process.exit()`, which throws from now on. The returned function removes the listener. Without a listener, such faults are ignored,
 * because they occur after the end of the run and change nothing.
 */
export function onFault(listener: Listener): () => void {
  listeners.add(listener);
  if (!isWatching) watch();
  return () => listeners.delete(listener);
}

function watch(): void {
  isWatching = true;
  process.on("uncaughtException", report).on("unhandledRejection", report);
  process.exit = (code = 0) => {
    const error = new Error(`it called process.exit(${code})`);
    Error.captureStackTrace(error, process.exit);
    report(error);
    throw error;
  };
}

function report(error: unknown): void {
  for (const listener of [...listeners]) listener(error);
}
