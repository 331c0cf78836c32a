import { showHidden } from "@bridle/protocol";

const longest = 60;

/** Returns the client's own name for the event log, shortened to one line. */
export function formatClient(client: { readonly name: string; readonly version: string } | undefined): string {
  if (client === undefined) return "unknown";
  return clean(`${clean(client.name)} ${clean(client.version)}`) || "unknown";
}

function clean(text: string): string {
  return [...showHidden(text).replace(/\s+/gu, " ")].slice(0, longest).join("").trim();
}
