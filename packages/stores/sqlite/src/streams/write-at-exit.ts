/** Makes all open stores write what they still have in memory when the process exits. */
const writes = new Set<() => void>();

/** Makes the process call `write` when it exits normally or after an uncaught error. Returns a function that cancels this. */
export function writeAtExit(write: () => void): () => void {
  if (writes.size === 0) process.on("exit", writeAll);
  writes.add(write);
  return () => {
    writes.delete(write);
    if (writes.size === 0) process.off("exit", writeAll);
  };
}

function writeAll(): void {
  for (const write of writes) write();
}
