import { resolve } from "node:path";
import type { ProjectContext } from "@bridle/app";
import {
  readCertificate,
  readServerToken,
  removeServerFile,
  requireAgentsTrust,
  requireSocketFolder,
  writeServerFile,
} from "@bridle/app/serving";
import type { Logger } from "@bridle/protocol";
import { z } from "zod";
import type { Api } from "../http/api.ts";
import { HttpServer } from "../http/http-server.ts";
import { defaultHttpLimits, uploadBytes } from "../http/limits.ts";
import { readPage } from "../http/read-page.ts";
import { createToken } from "../http/tokens/access-token.ts";
import { openApis } from "./open-apis.ts";
import { acceptedTokens } from "./owner-tokens.ts";
import { checkServeOptions, defaultPort, type ServeOptions } from "./serve-options.ts";
import { openUserWorkspaces } from "./user-workspaces.ts";

/** Connection data of a listening server, as printed by `bridle serve --json`. */
export const servingInfoSchema = z.strictObject({
  /** The address for clients on this machine. */
  url: z.string(),
  /** The address for clients on other machines. They connect over TLS with a name passed to `--allow-host`. */
  publicUrl: z.string().optional(),
  /** The token of the user who started the server. Show it once, and store it nowhere. */
  token: z.string(),
  /** The file that stores the token. Missing if the token is valid only for this start. */
  tokenFile: z.string().optional(),
  agents: z.array(z.string()).readonly(),
  users: z.array(z.string()).readonly(),
  protocols: z.array(z.string()).readonly(),
});

export type ServingInfo = z.output<typeof servingInfoSchema>;

export interface ServeEffects {
  readonly logger: Logger;
  /** Shuts down the server. */
  readonly signal: AbortSignal;
  onListening(info: ServingInfo): void;
}

/**
 * Serves the agents of a project until the signal is aborted. Then it starts no further runs, ends the streams, waits for the runs
 * in progress, and stops those that take longer. Throws UsageError and ConfigError before it listens.
 */
export async function serveProject(
  options: ServeOptions,
  context: ProjectContext,
  effects: ServeEffects,
): Promise<void> {
  checkServeOptions(options);
  const { project } = context;
  await project.requireTrust();
  const { agents, rehearse, runsTools, graceMs = 10_000 } = options;
  const workspaces = openUserWorkspaces(context, { agents, rehearse, runsTools, logger: effects.logger });
  let server: HttpServer | undefined;
  let apis: readonly Api[] = [];
  try {
    const own = await workspaces.of(undefined);
    await requireAgentsTrust(own.agents, context);
    const token = chooseToken(options, context);
    const { protocols, users, reasoning } = project.settings.serve;
    apis = await openApis(
      protocols,
      { version: context.version, basePath: options.basePath ?? "", showsReasoning: reasoning },
      effects,
    );
    server = await HttpServer.listen({
      ...(await placeOf(options, context)),
      page: readPage(options.basePath ?? ""),
      logger: effects.logger,
      now: Date.now,
      apis,
      tokens: acceptedTokens(token.token, users),
      redact: (body, { context: { project: of } }) => (of.redactor.known ?? of.redactor).value(body),
      workspaceOf: ({ namespace }, signal) => workspaces.of(namespace, signal),
    });
    writeServerFile(context, { pid: process.pid, url: server.url, started: new Date().toISOString() });
    const names = own.agents.list().map(({ id }) => id);
    const place = { url: server.url, publicUrl: publicUrl(options) };
    effects.onListening({ ...place, ...token, agents: names, users: Object.keys(users), protocols });
    await aborted(effects.signal);
  } finally {
    server?.endStreams();
    await workspaces.end(graceMs); // answering, stopping and reading still work
    await Promise.all(apis.map((api) => api.close?.()));
    await server?.close(); // requests in progress still read the event logs
    await workspaces.close();
    if (server) await removeServerFile(context, process.pid);
  }
}

function chooseToken({ tokenFile }: ServeOptions, { cwd }: ProjectContext) {
  const token = createToken();
  if (tokenFile === undefined) return { token, tokenFile: undefined };
  const path = resolve(cwd, tokenFile);
  return { token: readServerToken(path, token).token, tokenFile: path };
}

/** Determines the address and names of the server. */
async function placeOf(options: ServeOptions, context: ProjectContext) {
  const { host, port = defaultPort, socket, tlsCert, tlsKey, basePath = "" } = options;
  const { allowedHosts = [], allowedOrigins = [], isBehindProxy = false, isReadOnly = false } = options;
  const path = socket === undefined ? undefined : resolve(context.cwd, socket);
  if (path !== undefined) requireSocketFolder(path);
  const { uploads } = context.project.settings.serve;
  const limits = { ...defaultHttpLimits, ...(uploads && { fileBodyBytes: uploadBytes }) };
  const hasTls = tlsCert !== undefined && tlsKey !== undefined;
  return {
    host,
    port,
    socket: path,
    basePath,
    allowedHosts,
    allowedOrigins,
    isBehindProxy,
    isReadOnly,
    tls: hasTls ? await readCertificate({ cert: tlsCert, key: tlsKey }, context) : undefined,
    limits,
  };
}

function publicUrl({ allowedHosts: [name] = [], isBehindProxy, tlsCert, basePath = "" }: ServeOptions) {
  const hasTls = isBehindProxy === true || tlsCert !== undefined;
  return hasTls && name !== undefined ? `https://${name}${basePath}` : undefined;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => signal.addEventListener("abort", () => done(), { once: true }));
}
