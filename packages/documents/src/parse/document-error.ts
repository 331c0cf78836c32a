/** A document that could not be read. The others are not concerned. */
export class DocumentError extends Error {
  /** As the index names it. */
  readonly file: string;

  constructor(file: string, problem: string, options?: { cause?: unknown }) {
    super(`${file} ${problem}`, options);
    this.name = "DocumentError";
    this.file = file;
  }
}
