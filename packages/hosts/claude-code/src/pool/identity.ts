/** Determines which calls one host process can serve. */
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fingerprintHistory, sha256 } from "@bridle/core";
import { type ConversationSpec, canonicalJson, type HistoryMessage, type ImplicitSource } from "@bridle/protocol";
import { createAddressReader } from "../auth/account-address.ts";
import type { ClaudeAuthMode, ClaudeEnvironment } from "../options.ts";

export interface IdentityParts {
  spec: ConversationSpec;
  auth: ClaudeAuthMode;
  environment: ClaudeEnvironment;
  implicitSources: readonly ImplicitSource[];
}

/**
 * Returns the function that computes the kind of a call. Two calls have the same kind exactly if a process that was started for the first
 * call would send the model the same requests as a process started now for the second. The history is not part of the kind. The kind is a
 * hash, because the environment may contain credentials.
 *
 * Besides its options, the host itself reads three facts once, at its start (observed on 2.1.330): the day, whether the project folder is
 * in a Git repository, and the address of the account that last logged in.
 */
export function createIdentity(now = () => new Date()): (parts: IdentityParts) => Promise<string> {
  const readAddress = createAddressReader();
  return async ({ spec, auth, environment, implicitSources }) => {
    const { history: _history, session: _session, ...options } = spec;
    const found = {
      day: dayAt(now(), environment.TZ),
      isInRepository: await isInRepository(spec.projectDir),
      address: await readAddress(environment),
    };
    return sha256(canonicalJson({ options, auth, environment, implicitSources, found }));
  };
}

/**
 * Returns the key of the conversations that a process of this kind may serve. If the request continues a session, the key contains the
 * session's history. A single call never gets a process that has held a session, because such a process knows more than the messages show.
 */
export function conversationKey(
  kind: string,
  { history, session }: { history: readonly HistoryMessage[]; session?: string | undefined },
): string {
  if (history.length === 0) return kind;
  return `${kind} ${session === undefined ? "call" : "session"} ${fingerprintHistory(history)}`;
}

/** Returns the current day in the time zone of the host's environment, which may differ from ours. */
function dayAt(now: Date, timeZone: string | undefined): string {
  try {
    return now.toLocaleDateString("en-CA", timeZone ? { timeZone } : {});
  } catch {
    return now.toLocaleDateString("en-CA", { timeZone: "UTC" }); // like the system, uses UTC for an unknown zone
  }
}

async function isInRepository(folder: string): Promise<boolean> {
  if (await stat(join(folder, ".git")).catch(() => undefined)) return true;
  const parent = dirname(folder);
  return parent !== folder && isInRepository(parent);
}
