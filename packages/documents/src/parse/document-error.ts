/** A document that could not be read. It does not affect other documents. */
export class DocumentError extends Error {
  /** The file's name in the index. */
  readonly file: string;
  /** The message without the file name: the reason and the remedy. */
  readonly problem: string;

  constructor(file: string, problem: string, options?: { cause?: unknown }) {
    super(`${file} ${problem}`, options);
    this.name = "DocumentError";
    this.file = file;
    this.problem = problem;
  }
}
