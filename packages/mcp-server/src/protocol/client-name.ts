import { showHidden } from "@bridle/protocol";

const longest = 60;

/** The client as it calls itself, for the event log: on one line, and short. */
export function formatClient(client: { readonly name: string; readonly version: string } | undefined): string {
  if (client === undefined) return "unknown";
  return clean(`${clean(client.name)} ${clean(client.version)}`) || "unknown";
}

function clean(text: string): string {
  return [...showHidden(text).replace(/\s+/gu, " ")].slice(0, longest).join("").trim();
}
