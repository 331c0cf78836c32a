import type { KeyObject } from "node:crypto";
import { resolve } from "node:path";
import { readTextFileSync } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";
import { parsePrivateKey } from "../../../rest/signed-token.ts";
import type { SnowflakeConfig } from "../snowflake-settings.ts";

/** How a connection logs in. Errors contain `place`, the setting with the credentials. */
export type SnowflakeCredentials =
  | {
      readonly kind: "PROGRAMMATIC_ACCESS_TOKEN" | "OAUTH";
      readonly token: string;
      readonly place: "token" | "oauthToken";
    }
  | { readonly kind: "KEYPAIR_JWT"; readonly user: string; readonly key: KeyObject; readonly place: string };

/** @throws ConfigError if the settings contain no credentials, several credentials or invalid ones. */
export function readSnowflakeCredentials(config: SnowflakeConfig, projectDir: string): SnowflakeCredentials {
  const { keyFile, key, token, oauthToken, passphrase } = config;
  if ([keyFile, key, token, oauthToken].filter((each) => each !== undefined).length !== 1)
    throw new ConfigError(
      "A connection of type snowflake needs one of keyFile, key, token and oauthToken. Set exactly one of them.",
    );
  if (token !== undefined) return { kind: "PROGRAMMATIC_ACCESS_TOKEN", token, place: "token" };
  if (oauthToken !== undefined) return { kind: "OAUTH", token: oauthToken, place: "oauthToken" };
  if (config.user === undefined)
    throw new ConfigError("A connection of type snowflake with a private key needs the key user. Set it.");
  const path = resolve(projectDir, keyFile ?? "");
  const place = key === undefined ? path : "key";
  const pem = key ?? readKeyFile(path);
  return { kind: "KEYPAIR_JWT", user: config.user, key: parsePrivateKey(pem, place, passphrase), place };
}

function readKeyFile(path: string): string {
  try {
    return readTextFileSync(path);
  } catch (cause) {
    throw new ConfigError(`The file ${path} of keyFile cannot be read. Correct its path.`, { cause });
  }
}
