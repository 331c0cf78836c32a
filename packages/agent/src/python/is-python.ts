import { shownWord } from "@bridle/project";

interface NamedFunction {
  readonly file: string;
  readonly runtime?: string | undefined;
}

/** Whether a setting names a function in a Python file. */
export function isPython({ file, runtime }: NamedFunction): boolean {
  return runtime === undefined ? file.endsWith(".py") : runtime === "python";
}

/** Names the program that runs the file, at the end of a question's line. Empty for files of other languages. */
export function shownPython({
  python = "python3",
  ...named
}: NamedFunction & { readonly python?: string | undefined }): string {
  return isPython(named) ? ` with ${shownWord(python)}` : "";
}
