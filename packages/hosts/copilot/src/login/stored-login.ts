/**
 * Reads the login that the `copilot` command has stored on this machine, and never changes it. The runtime gets the token and not the file,
 * because the runtime would rewrite the file (observed on 1.0.14).
 */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { readTextFileSync } from "@bridle/core";
import { AuthenticationError, getErrorMessage, type HostEnvironment } from "@bridle/protocol";
import { z } from "zod";

/** A GitHub account with its token. */
export interface GitHubLogin {
  /** The address of the account's GitHub, such as `https://github.com`. */
  readonly host: string;
  /** The account's name; undefined if only its token is known. */
  readonly name?: string | undefined;
  readonly token: string;
}

const user = z.looseObject({ host: z.string(), login: z.string() });
const storedToken = z.looseObject({ token: z.string().min(1), accountType: z.string().optional() });

/** The login file, which contains tokens in one of two forms. The second form is older; the runtime reads both. */
const loginFile = z.looseObject({
  lastLoggedInUser: user.optional(),
  loggedInUsers: z.array(user).optional(),
  authTokens: z.record(z.string(), storedToken.optional().catch(undefined)).optional(),
  copilotTokens: z.record(z.string(), z.string()).optional(),
});

/** Returns the folder with the user's own settings and login of Copilot. */
export function copilotFolder(environment: HostEnvironment): string {
  return resolve(environment.COPILOT_HOME || join(environment.HOME || homedir(), ".copilot"));
}

function loginFileOf(environment: HostEnvironment): string {
  return join(copilotFolder(environment), "config.json");
}

const loginRemedy = 'Run "copilot login" once, or choose another auth mode or backend in bridle.yaml.';

/**
 * Returns the account that `copilot` itself would use: the one that logged in last. Throws AuthenticationError if no account is logged in,
 * or if that account's token is not in the file.
 */
export function readStoredLogin(environment: HostEnvironment): GitHubLogin {
  const path = loginFileOf(environment);
  const { lastLoggedInUser, loggedInUsers = [], authTokens = {}, copilotTokens = {} } = readLoginFile(path);
  const account = lastLoggedInUser ?? loggedInUsers[0];
  if (!account) throw new AuthenticationError(`Copilot is not logged in (auth: session). ${loginRemedy}`);
  const { host, login: name } = account;
  const key = `${host}:${name}`;
  const found = authTokens[key];
  if (found?.accountType !== undefined) throw otherAccountError(name, found.accountType);
  const token = found?.token ?? copilotTokens[key];
  if (token === undefined) throw keyringError(name, environment);
  return { host, name, token };
}

function readLoginFile(path: string): z.infer<typeof loginFile> {
  const text = readOptional(path);
  if (text === undefined) return {};
  try {
    return loginFile.parse(JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, ""))); // Copilot begins the file with comments
  } catch (cause) {
    throw new AuthenticationError(`${path} is not the file that Copilot stores its logins in. ${loginRemedy}`, {
      cause,
    });
  }
}

function readOptional(path: string): string | undefined {
  try {
    return readTextFileSync(path);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new AuthenticationError(
      `Copilot's file of logins, ${path}, cannot be read: ${getErrorMessage(cause)} Correct its permissions, or set llm.provider.gitHubToken.`,
      { cause },
    );
  }
}

function keyringError(name: string, environment: HostEnvironment): AuthenticationError {
  const settings = join(copilotFolder(environment), "settings.json");
  return new AuthenticationError(
    `Copilot keeps the token of ${name} in the keyring of the operating system, which Bridle does not read (auth: session). ` +
      `Set "storeTokenPlaintext": true in ${settings} and run "copilot login" again, or set llm.provider.gitHubToken.`,
  );
}

function otherAccountError(name: string, kind: string): AuthenticationError {
  return new AuthenticationError(
    `The login of ${name} is one of ${kind}, which Bridle does not support (auth: session). Log in to GitHub with "copilot login".`,
  );
}
