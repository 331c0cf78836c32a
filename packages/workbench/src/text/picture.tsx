import { hostOf, safeAddress } from "./safe-link.ts";

/**
 * A picture that a text names. Loading it would tell its host that someone reads, and what the model put into the address, so it
 * is a link that a person may open.
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
