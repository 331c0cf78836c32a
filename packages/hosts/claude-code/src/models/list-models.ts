import { tmpdir } from "node:os";
import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { BackendCrashError, StoppedError } from "@bridle/protocol";
import { z } from "zod";
import { startHost } from "../boundary/start-host.ts";
import { requirePinnedSdk } from "../boundary/versions.ts";
import { hostEnvironment } from "../environment/environment.ts";
import type { ClaudeCodeOptions } from "../options.ts";
import { createHostProcess } from "../process/host-process.ts";
import { createInputQueue } from "../process/input-queue.ts";
import { createTemporaryFolder } from "../process/temporary-folder.ts";
import { createToolServer } from "../tools/tool-server.ts";
import { bareConversation } from "./bare-conversation.ts";

/** A model as Claude Code offers it. */
export interface HostModel {
  /** What it is called by: an alias, or a full name. */
  id: string;
  /** What an alias stands for now. */
  resolvesTo?: string;
  displayName: string;
}

/**
 * The models that Claude Code offers on this login, as it says itself at its start; no model is asked. Runs a process of
 * its own, within the boundary, and ends it. Throws a BridleError when it does not start.
 */
export async function listHostModels(
  { auth = "session", environment = process.env, ...options }: ClaudeCodeOptions = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<HostModel[]> {
  requirePinnedSdk();
  const variables = hostEnvironment({ ...options, auth, environment }, { promptCaching: false });
  const folder = createTemporaryFolder(variables.TMPDIR || tmpdir());
  const host = createHostProcess();
  const input = createInputQueue<SDKUserMessage>();
  const query = startHost(input, {
    spec: bareConversation,
    environment: { ...variables, ...folder.variables },
    tools: createToolServer({ tools: [], callTool: async () => refused }),
    spawn: host.spawn,
    authorizeHostTool: async () => ({ allow: false, reply: refused.output }),
    verified: () => Promise.reject(new Error(refused.output)),
  });
  try {
    return modelsSchema.parse(await untilAborted(query.supportedModels(), signal)).map(toModel);
  } catch (cause) {
    if (signal.aborted) throw new StoppedError("Claude Code was not asked to its end: it was interrupted.");
    const said = host.stderr.trim().split("\n").slice(-3).join("\n");
    const words = said === "" ? "" : ` It had said: ${said}`;
    throw new BackendCrashError(`Claude Code did not say which models it has.${words}`, { cause });
  } finally {
    input.end();
    await host.end(0);
    query.close();
    await folder.remove().catch(() => {}); // the next start tries again once this process has gone
  }
}

const refused = { output: "No turn is in progress.", isError: true };

const modelsSchema = z.array(
  z.looseObject({ value: z.string(), resolvedModel: z.string().optional(), displayName: z.string() }),
);

function toModel({ value, resolvedModel, displayName }: z.output<typeof modelsSchema>[number]): HostModel {
  const isAlias = resolvedModel !== undefined && resolvedModel !== value;
  return { id: value, ...(isAlias && { resolvesTo: resolvedModel }), displayName };
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {}); // it may fail after the interruption
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener("abort", stop));
}
