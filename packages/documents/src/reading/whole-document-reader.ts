import type { DocumentFile } from "../parse/block.ts";
import { DocumentReader } from "./document-reader.ts";
import type { ReaderLimits } from "./reader-limits.ts";

export interface WholeDocument {
  /** The text, with headings in Markdown. */
  readonly text: string;
  /** Content that was skipped or could not be read reliably. Each string completes a sentence that begins with the file name. */
  readonly warnings: readonly string[];
}

export interface WholeDocumentReaderOptions {
  /** The maximum size of a file, in bytes. */
  readonly maxFileBytes: number;
  /** The limits for one file. Default: based on the size of each file. */
  readonly limits?: Partial<ReaderLimits> | undefined;
}

/** Reads documents as text, one at a time, in another process with limited time and memory. Close the reader after use. */
export class WholeDocumentReader {
  readonly #reader: DocumentReader;

  constructor(options: WholeDocumentReaderOptions) {
    this.#reader = new DocumentReader(options);
  }

  /** Reads a document. Rejects with a DocumentError, or with the signal's reason. */
  async read(file: DocumentFile, signal?: AbortSignal): Promise<WholeDocument> {
    const request = { file, chunking: {}, records: {}, willDescribe: false, isWhole: true };
    const { text = "", warnings } = await this.#reader.read(request, signal);
    return { text, warnings };
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}
