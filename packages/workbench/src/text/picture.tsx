import { hostOf, safeAddress } from "./safe-link.ts";

/**
 * A picture in a text, rendered as a link that the user can open. Loading the picture automatically would reveal to its host that somebody
 * reads the text, and anything that the model put into the URL.
 */
export function Picture({ address, alt }: { address: string; alt: string }) {
  const safe = safeAddress(address);
  const host = safe === undefined ? undefined : hostOf(safe);
  const words = alt === "" ? "a picture" : alt;
  if (host === undefined) return <span className="picture">{words}</span>;
  return (
    <a className="picture" href={safe} target="_blank" rel="noopener noreferrer" title={safe}>
      {words} <span className="muted">(not loaded, from {host})</span>
    </a>
  );
}
