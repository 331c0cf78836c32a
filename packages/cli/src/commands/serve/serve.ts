import { UsageError } from "@bridle/app";
import { withProject } from "@bridle/app/project";
import { z } from "zod";
import { defineCommand } from "../../command-line/command.ts";
import { jsonFlag, projectFlags } from "../../command-line/project-flags.ts";
import { printNewToken, printServerStatus, serveUntilInterrupt } from "./serve-and-print.ts";

const hostWithPort = z.string().regex(/^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/);
const origin = z.string().regex(/^[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/);

export const serveCommand = defineCommand({
  description: `Serve agents over HTTP to browsers, editors and programs on this machine, with a token that is printed at the start.
Without --agent, these are the agents in agent.yaml, agents/ and the folders of the project; without one, the project's model.
serve in bridle.yaml turns on other protocols and names other users.`,
  flags: {
    agent: {
      flag: "--agent <file>",
      description: "serve this agent; repeatable",
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
      description: "the address to listen on; others need TLS or a proxy (default: 127.0.0.1 and ::1)",
      value: z.string().min(1),
      expected: "an address",
    },
    unix: {
      flag: "--unix <path>",
      description: "listen on a socket that only you can open, and on no port",
      value: z.string().min(1),
      expected: "a path",
    },
    tokenFile: {
      flag: "--token-file <file>",
      description: "keep the token in this file, instead of a new one for each start",
      value: z.string().min(1),
      expected: "a file",
    },
    tlsCert: {
      flag: "--tls-cert <file>",
      description: "speak HTTPS with this certificate, as PEM",
      value: z.string().min(1),
      expected: "a file",
    },
    tlsKey: {
      flag: "--tls-key <file>",
      description: "the key of the certificate, as PEM",
      value: z.string().min(1),
      expected: "a file",
    },
    allowHost: {
      flag: "--allow-host <name>",
      description: "another name in the address, with its port if the address has one; repeatable",
      value: z.array(hostWithPort),
      expected: "a host name, with or without a port",
      isRepeated: true,
    },
    allowOrigin: {
      flag: "--allow-origin <origin>",
      description: "pages that may call the server from elsewhere, such as https://app.example.com; repeatable",
      value: z.array(origin),
      expected: "an origin such as https://app.example.com, without a path",
      isRepeated: true,
    },
    behindProxy: {
      flag: "--behind-proxy",
      description: "a proxy on this machine ends TLS and says in X-Forwarded-* what clients see",
      value: z.boolean(),
    },
    basePath: {
      flag: "--base-path <path>",
      description: "the path below which everything is, such as /agents",
      value: z.string().regex(/^(?:\/[A-Za-z0-9_-]+)+$/),
      expected: "a path such as /agents, without a slash at its end",
    },
    readOnly: {
      flag: "--read-only",
      description: "start no run and change nothing, for any token",
      value: z.boolean(),
    },
    toolsRun: {
      flag: "--no-tools-run",
      description: "refuse every call of a tool, for any token and whatever the rules say",
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
      description: "the time that runs get to end after an interrupt (default: 10)",
      value: z.coerce.number().min(0).max(3600),
      expected: "a number of seconds",
    },
    status: {
      flag: "--status",
      description: "show which server serves the project, and start none",
      value: z.boolean(),
    },
    newToken: {
      flag: "--new-token",
      description: "print a new token and its hash for serve.users, and start no server",
      value: z.boolean(),
      excludes: ["status"],
    },
    json: jsonFlag,
    ...projectFlags,
  },
  examples: [
    "bridle serve",
    "bridle serve --agent desk/agent.yaml --port 8080",
    "bridle serve --unix .bridle/server.sock",
    "bridle serve --host 0.0.0.0 --behind-proxy --allow-host agents.example.com",
    "bridle serve --status",
  ],
  notes: `An interrupt ends the server: it starts no more runs, and waits for those in progress. A second one ends it at once.

Exit codes:
  0 ended by an interrupt, or the status was shown, 1 no server is running (--status), 2 usage, 3 configuration`,
  async run({ flags }, cli) {
    const { json = false, status = false, newToken = false, grace, unix, agent, ...options } = flags;
    if (newToken) return printNewToken({ json }, cli);
    const context = await withProject(flags, cli);
    if (status) return printServerStatus({ json }, context);
    if (options.readOnly && options.rehearse !== undefined) {
      throw new UsageError("A server that is read-only starts no run. Leave --rehearse out.");
    }
    return serveUntilInterrupt(
      {
        ...{ agents: agent, socket: unix, graceMs: grace === undefined ? undefined : grace * 1000 },
        ...{ port: options.port, host: options.host, basePath: options.basePath, rehearse: options.rehearse },
        ...{ tokenFile: options.tokenFile, tlsCert: options.tlsCert, tlsKey: options.tlsKey },
        ...{ allowedHosts: options.allowHost, allowedOrigins: options.allowOrigin },
        ...{ isBehindProxy: options.behindProxy, isReadOnly: options.readOnly },
        ...{ runsTools: options.toolsRun },
      },
      { json },
      context,
    );
  },
});
