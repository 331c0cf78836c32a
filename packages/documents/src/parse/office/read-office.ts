import type { DocumentFile } from "../block.ts";
import { DocumentError } from "../document-error.ts";

interface OfficeFormat {
  /** The format with an article, such as `an Excel workbook`. */
  readonly title: string;
  readonly ending: string;
}

/** Reads an Office document. Any failure becomes a DocumentError. */
export async function readOffice<T>(
  { name, bytes }: DocumentFile,
  { title, ending }: OfficeFormat,
  read: () => T | Promise<T>,
): Promise<T> {
  if (isCompoundFile(bytes)) throw new DocumentError(name, explainCompoundFile(bytes, ending));
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    throw new DocumentError(name, `cannot be read as ${title}. Save it again as ${ending}.`, { cause });
  }
}

/** Whether a file has the container format of Office documents before 2007, and of documents with a password. */
function isCompoundFile(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 8)).toString("hex") === "d0cf11e0a1b11ae1";
}

function explainCompoundFile(bytes: Uint8Array, ending: string): string {
  const isEncrypted = Buffer.from(bytes).includes(Buffer.from("EncryptedPackage", "utf16le"));
  return isEncrypted
    ? "is protected by a password. Save it without one."
    : `has a format of Office before 2007. Save it again as ${ending}.`;
}
