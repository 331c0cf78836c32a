import { createHash } from "node:crypto";

/** Returns the SHA-256 of a string's UTF-8 bytes, in lower-case hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Returns the SHA-256 of a string in pieces. */
export function sha256OfPieces(pieces: readonly string[]): string {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}
