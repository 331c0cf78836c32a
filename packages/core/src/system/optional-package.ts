/**
 * Imports code that needs optional packages.
 *
 * @param packages The packages that the code needs.
 * @param load Imports the code.
 * @param refuse Creates the error for missing packages. `problem` continues a sentence that begins with the subject:
 * `needs the package "unpdf", which is not installed. Run "npm install unpdf".`
 *
 * @example
 * const { extractText } = await importOptional(["unpdf"], () => import("unpdf"), (problem, cause) =>
 *   new ConfigError(`handbook.pdf ${problem}`, { cause }),
 * );
 */
export async function importOptional<T>(
  packages: readonly string[],
  load: () => Promise<T>,
  refuse: (problem: string, cause: unknown) => Error,
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw isMissing(cause, packages) ? refuse(missingText(packages), cause) : cause;
  }
}

function isMissing(error: unknown, packages: readonly string[]): boolean {
  if (!(error instanceof Error && "code" in error)) return false;
  if (error.code !== "ERR_MODULE_NOT_FOUND" && error.code !== "MODULE_NOT_FOUND") return false;
  return packages.some((name) => error.message.includes(`'${name}`));
}

function missingText(packages: readonly string[]): string {
  const remedy = `Run "npm install ${packages.join(" ")}".`;
  const names = packages.map((name) => `"${name}"`).join(", ");
  if (packages.length === 1) return `needs the package ${names}, which is not installed. ${remedy}`;
  return `needs the packages ${names}, which are not all installed. ${remedy}`;
}
