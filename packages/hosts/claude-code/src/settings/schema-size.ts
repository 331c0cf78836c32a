import { type ConversationSpec, InvalidRequestError } from "@bridle/protocol";

/**
 * The maximum size of a schema. Linux accepts 131,071 bytes in one argument, and Windows 32,767 characters in total. The rest of this
 * length is left for the other arguments.
 */
const maxBytes = process.platform === "win32" ? 25_000 : 120_000;

/** Throws InvalidRequestError for a schema that is too long for the host's command line. */
export function requireSchemaSize({ outputSchema }: Pick<ConversationSpec, "outputSchema">): void {
  const bytes = outputSchema === undefined ? 0 : Buffer.byteLength(JSON.stringify(outputSchema));
  if (bytes <= maxBytes) return;
  throw new InvalidRequestError(
    `The schema of the object has ${bytes} bytes as JSON, but Claude Code gets it on its command line, which holds ${maxBytes}. Use fewer fields or shorter descriptions, or another backend.`,
  );
}
