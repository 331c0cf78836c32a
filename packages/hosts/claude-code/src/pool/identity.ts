/** What makes one process of the host as good as another for a call. */
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fingerprintOf, sha256 } from "@bridle/core";
import { type ConversationSpec, canonicalJson, type ImplicitSource } from "@bridle/protocol";
import { createAddressReader } from "../auth/account-address.ts";
import type { AuthMode, Environment } from "../options.ts";

export interface IdentityParts {
  spec: ConversationSpec;
  auth: AuthMode;
  environment: Environment;
  implicitSources: readonly ImplicitSource[];
}

/**
 * Makes the function that names a call's kind of process. Two names are equal exactly when a process that was started
 * for one of the calls would be told, and would tell the model, the same if it were started now for the other; what they
 * go on from is not in it. A hash: the environment may hold credentials.
 *
 * Beside what it is told, the host finds out by itself, and once only (observed on 2.1.330): the day, whether the
 * project folder stands in a Git repository, and the address of the account that last logged in.
 */
export function createIdentity(now = () => new Date()): (parts: IdentityParts) => Promise<string> {
  const addressIn = createAddressReader();
  return async ({ spec, auth, environment, implicitSources }) => {
    const { history: _history, session: _session, ...told } = spec;
    const found = {
      day: dayAt(now(), environment.TZ),
      isInRepository: await isInRepository(spec.projectDir),
      address: await addressIn(environment),
    };
    return sha256(canonicalJson({ told, auth, environment, implicitSources, found }));
  };
}

/**
 * The name of the conversations that a process of this kind may serve. What a session goes on from has one of its own:
 * a single call never gets a process that has held a session, for that knows more than the messages tell.
 */
export function keyOf(kind: string, { history, session }: Pick<ConversationSpec, "history" | "session">): string {
  if (history.length === 0) return kind;
  return `${kind} ${session === undefined ? "call" : "session"} ${fingerprintOf(history)}`;
}

/** The host's day: it has the time zone of its environment, which may not be ours. */
function dayAt(now: Date, timeZone: string | undefined): string {
  try {
    return now.toLocaleDateString("en-CA", timeZone ? { timeZone } : {});
  } catch {
    return now.toLocaleDateString("en-CA", { timeZone: "UTC" }); // what no zone is called means UTC to the system
  }
}

async function isInRepository(folder: string): Promise<boolean> {
  if (await stat(join(folder, ".git")).catch(() => undefined)) return true;
  const parent = dirname(folder);
  return parent !== folder && isInRepository(parent);
}
