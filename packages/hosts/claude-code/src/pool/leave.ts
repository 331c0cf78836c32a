/**
 * Ends what waits for work when this process has nothing left to do. Waiting processes do not keep it alive; a program
 * that forgets `close()` comes here when all its own work is done, and leaves neither a process nor a folder behind.
 */
const leavers = new Set<() => Promise<void>>();
const onBeforeExit = () => void Promise.all([...leavers].map((leave) => leave()));

/** Returns how to take it back. One listener serves all, however many there are. */
export function whenNothingIsLeftToDo(leave: () => Promise<void>): () => void {
  if (leavers.size === 0) process.on("beforeExit", onBeforeExit);
  leavers.add(leave);
  return () => {
    leavers.delete(leave);
    if (leavers.size === 0) process.off("beforeExit", onBeforeExit);
  };
}
