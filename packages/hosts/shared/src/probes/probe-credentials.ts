import {
  AuthenticationError,
  type AuthStatus,
  type Backend,
  BudgetExceededError,
  type ConversationSpec,
  textMessage,
  UsageLimitError,
} from "@bridle/protocol";
import { bareContext } from "./bare-conversation.ts";

export interface CredentialProbe {
  /** The name of the program or service that accepts or refuses the credentials, such as `Codex`. Sentences begin with this name. */
  readonly host: string;
  readonly mode: string;
  readonly spec: ConversationSpec;
  readonly signal: AbortSignal;
  /** Whether an error shows that the credentials were accepted, as an error about a missing model may. Default: no error does. */
  readonly isAccepted?: ((error: unknown) => boolean) | undefined;
}

/**
 * Checks credentials with a real turn, because a file does not show whether a login is still valid. The turn runs with the options of every
 * other turn. Throws errors that are not about credentials, such as a lost connection. An answer that was cut at its length limit also
 * proves that the credentials were accepted.
 */
export async function probeCredentials(
  open: Backend["open"],
  { host, mode, spec, signal, isAccepted = () => false }: CredentialProbe,
): Promise<AuthStatus> {
  const accepted: AuthStatus = { ok: true, mode, detail: `${host} accepts the credentials.` };
  try {
    const conversation = await open({ ...spec, system: { static: "Answer in one word.", dynamic: "" } }, signal);
    try {
      await conversation.turn(textMessage("Answer with the word: ok"), bareContext(signal));
    } finally {
      await conversation.close();
    }
    return accepted;
  } catch (error) {
    if (error instanceof AuthenticationError) return { ok: false, mode, detail: error.message };
    if (error instanceof UsageLimitError) return { ok: true, mode, detail: `Accepted, but: ${error.message}` };
    if (error instanceof BudgetExceededError || isAccepted(error)) return accepted;
    throw error;
  }
}
