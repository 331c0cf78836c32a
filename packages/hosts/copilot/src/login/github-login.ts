import { hostname } from "node:os";
import { sha256 } from "@bridle/core";
import { AuthenticationError, ConfigError, type HostEnvironment } from "@bridle/protocol";
import type { CopilotOptions } from "../options.ts";
import { copilotFolder, type GitHubLogin, readStoredLogin } from "./stored-login.ts";

const standardHost = "github.com";

/** Matches tokens of a kind that Copilot refuses, regardless of their permissions. */
const classicToken = /^ghp_/;

/**
 * Returns the login that pays: the token in the settings, or else the one that Copilot has stored. Reads no environment variables. Throws
 * AuthenticationError if there is neither, and ConfigError if Copilot does not accept this kind of token.
 */
function gitHubLogin({ gitHubToken, gitHubHost = standardHost, environment }: CopilotOptions): GitHubLogin {
  if (gitHubToken === undefined) return readStoredLogin(environment ?? process.env);
  if (!classicToken.test(gitHubToken)) return { host: addressOf(gitHubHost), token: gitHubToken };
  throw new ConfigError(
    'llm.provider.gitHubToken is a classic personal access token (ghp_), which Copilot does not accept. Use a fine-grained one with the permission "Copilot Requests", or the output of "gh auth token".',
    { field: "llm.provider.gitHubToken" },
  );
}

/** Identifies the account that pays: by a hash of the token, or by the folder and the name of the stored login. */
export function gitHubAccount(options: CopilotOptions): string {
  const { gitHubToken, gitHubHost = standardHost, environment = process.env } = options;
  if (gitHubToken !== undefined) return `copilot token ${addressOf(gitHubHost)} ${sha256(gitHubToken).slice(0, 12)}`;
  return storedAccount(environment);
}

/**
 * Returns the current login. Throws AuthenticationError if it no longer belongs to `account`. A backend has one account, whose limits its
 * runs share.
 */
export function loginOfAccount(options: CopilotOptions, account: string): GitHubLogin {
  const login = gitHubLogin(options);
  if (options.gitHubToken !== undefined || nameOf(login) === account) return login;
  throw new AuthenticationError(
    `The stored login of Copilot is now that of ${login.name} at ${login.host}. It has changed since this program started (auth: session). Start this program again, so that the limits of that account apply.`,
  );
}

/** Whether two logins have the same account and the same token. */
export function isSameLogin(one: GitHubLogin | undefined, other: GitHubLogin | undefined): boolean {
  return one?.host === other?.host && one?.token === other?.token;
}

function storedAccount(environment: HostEnvironment): string {
  try {
    return nameOf(readStoredLogin(environment));
  } catch {
    return `copilot session ${copilotFolder(environment)} ${hostname()}`; // nobody is logged in
  }
}

/** Returns the name of a stored login, without its token, which each `copilot login` replaces. */
function nameOf({ host, name }: GitHubLogin): string {
  return `copilot session ${host} ${name}`;
}

/** Returns the address of a GitHub host. The address uses https, because a login is never sent without encryption. */
function addressOf(host: string): string {
  return `https://${host}`;
}
