/** Whether a setting names a function of a Python file. */
export function isPython({ file, runtime }: { readonly file: string; readonly runtime?: string | undefined }): boolean {
  return runtime === undefined ? file.endsWith(".py") : runtime === "python";
}
