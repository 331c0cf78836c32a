/** Returns the code of a system error, such as `ENOENT`, or the text of any other thrown value. */
export function systemErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
