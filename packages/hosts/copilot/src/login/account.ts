/** Asks GitHub about a login's account: whether GitHub accepts the token, and which models the account may use. */
import { asSentence, classifyFailure, commonFailureError, limitError } from "@bridle/host-shared";
import {
  AuthenticationError,
  BackendCrashError,
  type BridleError,
  ModelNotFoundError,
  NetworkError,
  nearest,
} from "@bridle/protocol";
import { z } from "zod";
import type { GitHubLogin } from "./stored-login.ts";

/** A model of the account. */
export interface AccountModel {
  readonly id: string;
  readonly displayName: string | undefined;
  /** The maximum number of tokens in a prompt. */
  readonly contextWindow: number | undefined;
  /** Whether the account's owner or organisation has switched the model off. */
  readonly isOff: boolean;
}

/** The parts of the runtime's client that are used here. */
interface AccountClient {
  readonly rpc: {
    readonly account: { getCurrentAuth(): Promise<{ authInfo?: unknown; authErrors?: readonly string[] | undefined }> };
  };
}
interface ModelClient {
  readonly rpc: { readonly models: { list(parameters: object): Promise<unknown> } };
}

const settings = "llm.provider";

/** Returns the advice for a login that was refused. */
export function loginAdvice({ name }: Pick<GitHubLogin, "name">): string {
  return name === undefined
    ? `Check ${settings}.gitHubToken. It must belong to an account with Copilot, and may use it ("Copilot Requests").`
    : 'Run "copilot login" again, and check at github.com/settings/copilot that the account has Copilot.';
}

/** Throws unless GitHub knows the token and its account. The runtime asks GitHub once, when it starts. */
export async function requireAccount(client: AccountClient, login: GitHubLogin): Promise<void> {
  const { authInfo, authErrors = [] } = await client.rpc.account.getCurrentAuth();
  if (authInfo !== undefined) return;
  throw accountError(redacted(authErrors.join(" "), login) || "no reason was given", login);
}

/** Returns the error for a failed check. The runtime has one message for each failure, which contains the status. */
function accountError(reason: string, login: GitHubLogin): BridleError {
  const [, status] = /\((\d{3})\)/.exec(reason) ?? [];
  const words = reason.replace(/^Failed to validate SDK token[^:]*: (GitHub returned: )?/, "");
  const isLost = status === undefined && /network|error sending request/.test(reason);
  if (isLost) return new NetworkError(`${login.host} cannot be reached: ${asSentence(words)} Check the network.`);
  return refusedError(`${login.host} refused the login`, words, Number(status ?? 403), login);
}

const listed = z.looseObject({
  id: z.string(),
  name: z.string().optional(),
  policy: z.looseObject({ state: z.string() }).nullish(),
  capabilities: z
    .looseObject({
      type: z.string().optional(),
      limits: z
        .looseObject({ max_prompt_tokens: z.number().nullish(), max_context_window_tokens: z.number().nullish() })
        .nullish(),
    })
    .nullish(),
});
const modelList = z.looseObject({ models: z.array(listed) });

/** The name that the runtime adds to the list of models. With this name, the runtime chooses a model itself. */
const automatic = "auto";

/** Lists the account's models that can hold a conversation. Throws a BridleError if Copilot's service refuses the account. */
export async function listAccountModels(client: ModelClient, login: GitHubLogin): Promise<AccountModel[]> {
  const { models } = modelList.parse(
    await client.rpc.models.list({}).catch((error: unknown) => refuseList(error, login)),
  );
  return models
    .filter(({ id, capabilities }) => id !== automatic && (capabilities?.type ?? "chat") === "chat")
    .map(({ id, name, policy, capabilities }) => ({
      id,
      displayName: name,
      contextWindow:
        capabilities?.limits?.max_prompt_tokens ?? capabilities?.limits?.max_context_window_tokens ?? undefined,
      isOff: policy?.state === "disabled",
    }));
}

/**
 * Finds the model among the account's models. Without this check, the runtime would send a request for any name, and without the account's
 * list, it would use another address and other limits (observed on 1.0.14).
 */
export function requireModel(model: string, models: readonly AccountModel[]): AccountModel {
  const found = models.find(({ id }) => id === model);
  if (found && !found.isOff) return found;
  const usable = models.filter(({ isOff }) => !isOff).map(({ id }) => id);
  const near = nearest(model, usable);
  const known = usable.length > 0 ? `It has: ${usable.slice(0, 6).join(", ")}.` : "It has none.";
  const hint = near.length > 0 ? `Did you mean ${near.join(", ")}?` : known;
  const problem = found
    ? `The model "${model}" is switched off in the Copilot settings of the account or its organization.`
    : `The Copilot plan of the account has no model "${model}".`;
  throw new ModelNotFoundError(`${problem} ${hint}`, model, near);
}

/** Removes the token from the service's message. */
function redacted(text: string, { token }: GitHubLogin): string {
  return text.replaceAll(token, "[key]");
}

const failedList = z.looseObject({ status: z.number(), body: z.string().optional() });

function refuseList(error: unknown, login: GitHubLogin): never {
  const text = redacted(error instanceof Error ? error.message : String(error), login);
  const parsed = failedList.safeParse(jsonIn(text));
  if (parsed.success)
    throw refusedError("Copilot refused the account", textOf(parsed.data.body ?? ""), parsed.data.status, login);
  if (/network|error sending request/.test(text))
    throw new NetworkError(`Copilot's service cannot be reached: ${asSentence(text)} Check the network.`);
  throw new BackendCrashError(`Copilot's runtime failed: ${text}`);
}

function refusedError(subject: string, reason: string, status: number, login: GitHubLogin): BridleError {
  const failureClass = classifyFailure({ status, codes: [], message: "" });
  if (failureClass === "rate_limit") return limitError(reason);
  const passing = failureClass === "overloaded" ? commonFailureError(failureClass, reason, settings) : undefined;
  return passing ?? new AuthenticationError(`${subject}: ${asSentence(reason)} (auth: session) ${loginAdvice(login)}`);
}

const explained = z.union([
  z.looseObject({ error: z.looseObject({ message: z.string() }) }).transform(({ error }) => error.message),
  z.looseObject({ message: z.string() }).transform(({ message }) => message),
]);

function textOf(body: string): string {
  return explained.catch(body.slice(0, 300) || "no reason was given").parse(jsonIn(body));
}

/** Returns the JSON object in one of the runtime's messages. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf("{")));
  } catch {
    return undefined;
  }
}
