import type { RecordedRequest } from "@bridle/rehearsal";

/**
 * Returns the bodies of model requests as text, without the ids that differ between any two processes or calls: the session's id, and the
 * id of a prompt with its hash. Ids that the model gave its calls are replaced with numbers.
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
