/** Ends this process, also where the code of tools cannot. */
export const exitProcess: (code: number) => never = process.exit.bind(process);

type Listener = (error: unknown) => void;

const listeners = new Set<Listener>();
let isWatching = false;

/**
 * Calls the listener with what the code of a tool does to the whole process, until the returned function is called:
 * errors that nobody catches, rejections that nobody awaits, and `process.exit()`, which throws from now on. What comes
 * when nobody listens any more comes after the end of the run, and changes nothing.
 */
export function onFault(listener: Listener): () => void {
  listeners.add(listener);
  if (!isWatching) watch();
  return () => listeners.delete(listener);
}

function watch(): void {
  isWatching = true;
  process.on("uncaughtException", tell).on("unhandledRejection", tell);
  process.exit = (code = 0) => {
    const error = new Error(`it called process.exit(${code})`);
    Error.captureStackTrace(error, process.exit);
    tell(error);
    throw error;
  };
}

function tell(error: unknown): void {
  for (const listener of [...listeners]) listener(error);
}
