/** What is wrong with how an index is asked for, in a sentence with the way out. */
export class DocumentsError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "DocumentsError";
  }
}
