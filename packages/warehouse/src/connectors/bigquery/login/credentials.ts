import { resolve } from "node:path";
import { readTextFileSync } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";
import { z } from "zod";
import type { BigQueryConfig } from "../bigquery-settings.ts";

const serviceAccount = z.object({
  type: z.literal("service_account"),
  client_email: z.string(),
  private_key: z.string(),
  private_key_id: z.string().optional(),
  token_uri: z.string().default("https://oauth2.googleapis.com/token"),
});

export type ServiceAccount = z.output<typeof serviceAccount>;

/** How a connection logs in. Errors contain `place`, the location of the credentials. */
export type GoogleCredentials =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "service"; readonly account: ServiceAccount; readonly place: string };

/** @throws ConfigError if the settings contain no credentials, several credentials or invalid ones. */
export function readGoogleCredentials({ keyFile, key, token }: BigQueryConfig, projectDir: string): GoogleCredentials {
  if ([keyFile, key, token].filter((each) => each !== undefined).length !== 1)
    throw new ConfigError(
      "A connection of type bigquery needs one of keyFile, key and token. Set exactly one of them.",
    );
  if (token !== undefined) return { kind: "token", token };
  if (key !== undefined) return parseKey(key, "key");
  const path = resolve(projectDir, keyFile ?? "");
  return parseKey(readKeyFile(path), path);
}

function readKeyFile(path: string): string {
  try {
    return readTextFileSync(path);
  } catch (cause) {
    throw new ConfigError(`The file ${path} of keyFile cannot be read. Correct its path.`, { cause });
  }
}

/** Parses a key. Does not pass on the parser's error, because it could quote the key. */
function parseKey(text: string, place: string): GoogleCredentials {
  const service = serviceAccount.safeParse(parseObject(text));
  if (service.success) return { kind: "service", account: service.data, place };
  throw new ConfigError(`${place} is not a service account key. Create a JSON key, or set token.`);
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
