import { shownWord } from "@bridle/project";

interface NamedFunction {
  readonly file: string;
  readonly runtime?: string | undefined;
}

/** Whether a setting names a function of a Python file. */
export function isPython({ file, runtime }: NamedFunction): boolean {
  return runtime === undefined ? file.endsWith(".py") : runtime === "python";
}

/** The end of a question's line: the program that runs the file, if it is a Python file. */
export function shownPython({
  python = "python3",
  ...named
}: NamedFunction & { readonly python?: string | undefined }): string {
  return isPython(named) ? ` with ${shownWord(python)}` : "";
}
