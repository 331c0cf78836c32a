import { UsageError } from "@bridle/app";
import type { ServeOptions } from "@bridle/server";
import { z } from "zod";
import type { Flags, FlagValues } from "../../command/command.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";

const hostWithPort = z.string().regex(/^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/);
const origin = z.string().regex(/^[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/);

/** The flags of every command that starts a server for the project. */
export const serveFlags = {
  agent: {
    flag: "--agent <file>",
    description: "serve this agent (can be repeated)",
    value: z.array(z.string().min(1)),
    expected: "a file",
    isRepeated: true,
  },
  port: {
    flag: "--port <n>",
    description: "the port (default: 4900; 0 for a free one)",
    value: z.coerce.number().int().min(0).max(65_535),
    expected: "a port",
  },
  host: {
    flag: "--host <address>",
    description:
      "the address to listen on; one that other machines can reach needs TLS or a proxy (default: 127.0.0.1 and ::1)",
    value: z.string().min(1),
    expected: "an address",
  },
  tokenFile: {
    flag: "--token-file <file>",
    description: "keep the token in this file, instead of creating a new one at each start",
    value: z.string().min(1),
    expected: "a file",
  },
  tlsCert: {
    flag: "--tls-cert <file>",
    description: "serve HTTPS with this PEM certificate",
    value: z.string().min(1),
    expected: "a file",
  },
  tlsKey: {
    flag: "--tls-key <file>",
    description: "the PEM key of the certificate",
    value: z.string().min(1),
    expected: "a file",
  },
  allowHost: {
    flag: "--allow-host <name>",
    description: "an additional host name for clients, with the port if the address has one (can be repeated)",
    value: z.array(hostWithPort),
    expected: "a host name, with or without a port",
    isRepeated: true,
  },
  allowOrigin: {
    flag: "--allow-origin <origin>",
    description: "an origin whose pages may call the server, such as https://app.example.com (can be repeated)",
    value: z.array(origin),
    expected: "an origin such as https://app.example.com, without a path",
    isRepeated: true,
  },
  behindProxy: {
    flag: "--behind-proxy",
    description: "trust the X-Forwarded-* headers of a proxy on this machine that terminates TLS",
    value: z.boolean(),
  },
  basePath: {
    flag: "--base-path <path>",
    description: "a prefix for all paths, such as /agents",
    value: z.string().regex(/^(?:\/[A-Za-z0-9_-]+)+$/),
    expected: "a path such as /agents, without a slash at its end",
  },
  readOnly: {
    flag: "--read-only",
    description: "refuse all runs and changes, for any token",
    value: z.boolean(),
  },
  toolsRun: {
    flag: "--no-tools-run",
    description: "refuse every tool call, for any token and regardless of the rules",
    value: z.boolean(),
  },
  rehearse: {
    flag: "--rehearse <file>",
    description: "answer from a script or cassette instead of a model",
    value: z.string().min(1),
    expected: "a file",
  },
  grace: {
    flag: "--grace <seconds>",
    description: "the time for runs to finish after an interrupt (default: 10)",
    value: z.coerce.number().min(0).max(3600),
    expected: "a number of seconds",
  },
  json: jsonFlag,
  ...projectFlags,
} satisfies Flags;

/** @throws UsageError */
export function toServeOptions(flags: FlagValues<typeof serveFlags>): ServeOptions {
  const { readOnly, rehearse, grace } = flags;
  if (readOnly && rehearse !== undefined) {
    throw new UsageError("A server that is read-only starts no run. Leave --rehearse out.");
  }
  return {
    agents: flags.agent,
    graceMs: grace === undefined ? undefined : grace * 1000,
    rehearse,
    port: flags.port,
    host: flags.host,
    basePath: flags.basePath,
    tokenFile: flags.tokenFile,
    tlsCert: flags.tlsCert,
    tlsKey: flags.tlsKey,
    allowedHosts: flags.allowHost,
    allowedOrigins: flags.allowOrigin,
    isBehindProxy: flags.behindProxy,
    isReadOnly: readOnly,
    runsTools: flags.toolsRun,
  };
}
