import { statSync } from "node:fs";
import { resolve } from "node:path";
import { createSecureContext } from "node:tls";
import { readTextFile } from "@bridle/core";
import { ConfigError, getErrorMessage } from "@bridle/protocol";

interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads a certificate and its key in PEM format. Throws ConfigError if a file cannot be read, if certificate and key do not match, or if
 * other users can read the key.
 */
export async function readCertificate(files: Certificate, { cwd }: { readonly cwd: string }): Promise<Certificate> {
  const read = async (file: string) => {
    try {
      return await readTextFile(resolve(cwd, file));
    } catch (cause) {
      throw new ConfigError(`The file ${file} of TLS cannot be read: ${getErrorMessage(cause)}`, { cause });
    }
  };
  const certificate = { cert: await read(files.cert), key: await read(files.key) };
  requirePrivateKey(files.key, resolve(cwd, files.key));
  requirePair(certificate, files);
  return certificate;
}

/** Throws ConfigError if other users can read the key. As in PostgreSQL, root may make the key readable for the server's group. */
function requirePrivateKey(file: string, path: string): void {
  if (process.platform === "win32") return;
  const { mode, uid } = statSync(path);
  if ((mode & (uid === 0 ? 0o027 : 0o077)) === 0) return;
  throw new ConfigError(`Other users of this machine may read the key ${file} of TLS. Run: chmod 600 ${file}`);
}

function requirePair({ cert, key }: Certificate, files: Certificate): void {
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    const reason = `The certificate ${files.cert} and the key ${files.key} cannot be used: ${getErrorMessage(cause)}.`;
    throw new ConfigError(`${reason} Name two files in PEM that belong together.`, { cause });
  }
}
