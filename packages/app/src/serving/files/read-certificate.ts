import { resolve } from "node:path";
import { readTextFile } from "@bridle/core";
import { ConfigError, getErrorMessage } from "@bridle/protocol";

/** Reads a certificate and its key, as PEM. Throws ConfigError. */
export async function readCertificate(
  files: { readonly cert: string; readonly key: string },
  { cwd }: { readonly cwd: string },
): Promise<{ readonly cert: string; readonly key: string }> {
  const read = async (file: string) => {
    try {
      return await readTextFile(resolve(cwd, file));
    } catch (cause) {
      throw new ConfigError(`The file ${file} of TLS cannot be read: ${getErrorMessage(cause)}`, { cause });
    }
  };
  return { cert: await read(files.cert), key: await read(files.key) };
}
