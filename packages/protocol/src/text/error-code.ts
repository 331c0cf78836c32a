/** The system's code of an error, such as `ENOENT`; else the text of what was thrown. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
