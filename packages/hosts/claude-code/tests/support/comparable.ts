import type { RecordedRequest } from "@bridle/rehearsal";

/**
 * The bodies of model requests as text, without what differs between any two processes, or any two calls, of the host:
 * the session's id, the id of a prompt with the hash over it, and ids that the model gave to its calls, which are
 * numbered in place.
 */
export function comparable(requests: readonly RecordedRequest[]): string[] {
  const ids = new Map<string, string>();
  const numbered = (id: string) => {
    if (!ids.has(id)) ids.set(id, `call ${ids.size + 1}`);
    return ids.get(id) ?? "";
  };
  return requests
    .filter(({ path }) => path === "/v1/messages")
    .map(({ body }) =>
      JSON.stringify(body)
        .replace(/(\\"session_id\\":\\")[\w-]+/, "$1*")
        .replace(/(cc_prompt_id=)[\w-]+/, "$1*")
        .replace(/(cch=)\w+/, "$1*")
        .replaceAll(/\b(?:toolu|msg|req)_\w+/g, numbered),
    );
}
