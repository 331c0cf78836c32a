/** Matches a PNG in base64, with or without the prefix of a data URL. */
const pngStart = /^(?:data:image\/png;base64,)?(iVBORw0KGgo[A-Za-z0-9+/]*={0,2})$/;

/** Returns the PNGs in a request of any protocol, as base64, in their order. */
export function findImages(value: unknown): string[] {
  if (typeof value === "string") return pngStart.exec(value)?.slice(1) ?? [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(findImages);
}
