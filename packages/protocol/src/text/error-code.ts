/** The code of a system error, such as `ENOENT`; otherwise the thrown value as text. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
