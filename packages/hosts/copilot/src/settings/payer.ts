import { sha256 } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";
import type { ProviderConfig } from "@github/copilot-sdk";
import { gitHubAccount, loginOfAccount } from "../login/github-login.ts";
import type { GitHubLogin } from "../login/stored-login.ts";
import type { CopilotAuthMode, CopilotOptions } from "../options.ts";
import { baseUrlOf, toProvider } from "./provider.ts";

/** Who pays for the requests of a backend. */
export interface Payer {
  readonly mode: CopilotAuthMode;
  /** Identifies the account without its credential. */
  readonly account: string;
  readonly telemetryProvider: string;
  /** The address that requests are sent to, for messages. */
  readonly address: string;
  /** The model service, if a key pays. */
  readonly provider: ProviderConfig | undefined;
  /** Returns the current login; undefined with a key. Throws AuthenticationError if the login is missing or belongs to another account. */
  login(): GitHubLogin | undefined;
  /** Returns the credential that messages must not contain. */
  secretOf(login: GitHubLogin | undefined): string | undefined;
}

/** Returns who pays. Throws ConfigError if the settings of one mode are used in the other. */
export function payerOf(options: CopilotOptions): Payer {
  return options.auth === "session" ? loginPayer(options) : keyPayer(options);
}

function keyPayer(options: CopilotOptions): Payer {
  refuse(options, ["gitHubToken", "gitHubHost"], "belongs to auth: session. Set auth: session, or remove it.");
  const { api = "openai", apiKey } = options;
  const key = apiKey ?? "";
  return {
    mode: "api_key",
    account: `copilot ${baseUrlOf(options)} ${key === "" ? "no credential" : sha256(key).slice(0, 12)}`,
    telemetryProvider: api === "azure" ? "azure.ai.openai" : api,
    address: baseUrlOf(options),
    provider: toProvider(options),
    login: () => undefined,
    secretOf: () => apiKey,
  };
}

function loginPayer(options: CopilotOptions): Payer {
  refuse(
    options,
    ["apiKey", "baseUrl", "api", "wireApi"],
    "cannot be combined with auth: session, because a login is only sent to GitHub. Remove it, or set auth: api_key.",
  );
  if (options.gitHubToken === undefined)
    refuse(options, ["gitHubHost"], "belongs to gitHubToken. A stored login has its own host. Remove it.");
  const account = gitHubAccount(options);
  return {
    mode: "session",
    account,
    telemetryProvider: "github.copilot",
    address: "GitHub Copilot",
    provider: undefined,
    login: () => loginOfAccount(options, account),
    secretOf: (login) => login?.token,
  };
}

function refuse(options: CopilotOptions, names: readonly (keyof CopilotOptions)[], problem: string): void {
  const name = names.find((each) => options[each] !== undefined);
  if (name === undefined) return;
  const field = `llm.provider.${name}`;
  throw new ConfigError(`${field} ${problem}`, { field });
}
