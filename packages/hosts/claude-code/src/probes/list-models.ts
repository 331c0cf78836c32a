import { tmpdir } from "node:os";
import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { untilAborted } from "@bridle/core";
import { bareConversation, HostChildProcess } from "@bridle/host-shared";
import { BackendCrashError, omitUndefined, StoppedError } from "@bridle/protocol";
import { z } from "zod";
import { startHost } from "../boundary/start-host.ts";
import { requirePinnedSdk } from "../boundary/versions.ts";
import { hostEnvironment } from "../environment/environment.ts";
import type { ClaudeCodeOptions } from "../options.ts";
import { InputQueue } from "../process/input-queue.ts";
import { createTemporaryFolder } from "../process/temporary-folder.ts";
import { Relays } from "../relay/relays.ts";
import { ToolServer } from "../tools/tool-server.ts";

/** A model that Claude Code lists. */
export interface HostModel {
  /** The name for requests: an alias or a full name. */
  id: string;
  /** The model that an alias resolves to now. */
  resolvesTo?: string;
  displayName: string;
}

/**
 * Lists the models that Claude Code provides with this login. The host reports them at its start, so no request goes to a model. Starts a
 * process with the boundary's options and ends it. Throws a BridleError if the process does not start.
 */
export async function listHostModels(
  { auth = "session", environment = process.env, ...options }: ClaudeCodeOptions = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<HostModel[]> {
  requirePinnedSdk();
  const relays = new Relays(auth);
  const variables = await relays.apply(hostEnvironment({ ...options, auth, environment }, { promptCaching: false }));
  const folder = createTemporaryFolder(variables.TMPDIR || tmpdir());
  const host = new HostChildProcess();
  const input = new InputQueue<SDKUserMessage>();
  const query = startHost(input, {
    spec: bareConversation("haiku"),
    environment: { ...variables, ...folder.variables },
    programs: folder.programs,
    tools: new ToolServer({ tools: [], callTool: async () => refused }),
    spawn: host.spawn,
    authorizeHostTool: async () => ({ allow: false, reply: refused.output }),
    verified: () => Promise.reject(new Error(refused.output)),
  });
  try {
    return modelsSchema.parse(await untilAborted(query.supportedModels(), signal)).map(toModel);
  } catch (cause) {
    if (signal.aborted) throw new StoppedError("The list of Claude Code's models was interrupted.");
    throw listError(cause, host.stderr);
  } finally {
    input.end();
    await host.end(0);
    query.close();
    await relays.close();
    await folder.remove().catch(() => {}); // if this fails, a later start removes the folder
  }
}

const refused = { output: "No turn is in progress.", isError: true };

const modelsSchema = z.array(
  z.looseObject({ value: z.string(), resolvedModel: z.string().optional(), displayName: z.string() }),
);

function toModel({ value, resolvedModel, displayName }: z.output<typeof modelsSchema>[number]): HostModel {
  const resolvesTo = resolvedModel === value ? undefined : resolvedModel;
  return omitUndefined({ id: value, resolvesTo, displayName });
}

/** Returns an error with the newest lines of standard error. */
function listError(cause: unknown, stderr: string): BackendCrashError {
  const lines = stderr.trim().split("\n").slice(-3).join("\n");
  const output = lines === "" ? "" : ` Standard error: ${lines}`;
  return new BackendCrashError(`Claude Code did not list its models.${output}`, { cause });
}
