/** Joins the messages of an error and its causes. For errors of HTTP requests, only the cause contains the reason. */
export function describeCause(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const own = thrown.message || ("code" in thrown ? String(thrown.code) : thrown.name);
  if (!(thrown.cause instanceof Error)) return own;
  const deeper = describeCause(thrown.cause);
  return own.includes(deeper) ? own : `${own}: ${deeper}`;
}
