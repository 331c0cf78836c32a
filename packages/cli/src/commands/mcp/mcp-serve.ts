import { UsageError } from "@bridle/app";
import { withProject } from "@bridle/app/project";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { projectFlags } from "../../command/project-flags.ts";
import { agentOperand } from "../agent/agent-operand.ts";
import { serveHttp, serveOnStdio } from "./serve-and-print.ts";

const hostName = z.string().regex(/^[\w.-]+$|^\[[\da-fA-F:.]+\]$/);
const overHttp = "only with --http";

export const mcpServeCommand = defineCommand({
  description: `Serve the tools of an agent to MCP clients, such as Claude Code and Cursor, over standard input and
output or HTTP.
Without a file or an agent.yaml, serves tools for the databases of context.connections in bridle.yaml.
The project's rules apply to each call, and the event log records it. A call that needs approval is denied, because
nobody can be asked.`,
  operand: { ...agentOperand, isRepeated: true },
  flags: {
    tools: {
      flag: "--tools <file>",
      description: "serve the tools that a TypeScript or JavaScript module exports instead of an agent's",
      value: z.string().min(1),
      expected: "a file",
    },
    context: {
      flag: "--context",
      description: "serve tools for the databases in bridle.yaml, even if there is an agent.yaml",
      value: z.boolean(),
      excludes: ["tools"],
    },
    agents: {
      flag: "--agents",
      description:
        "serve agents as tools named ask_<agent>: those in the files, otherwise the project's; read-only without --allow-writes",
      value: z.boolean(),
      excludes: ["tools", "context"],
    },
    rehearse: {
      flag: "--rehearse <script>",
      description: "replace the model of the agents with a script, only with --agents",
      value: z.string().min(1),
      expected: "a file",
    },
    allowWrites: {
      flag: "--allow-writes",
      description: "also offer tools that can make changes; over HTTP, only to tokens with writes",
      value: z.boolean(),
    },
    structured: {
      flag: "--structured",
      description: "add structured data to results, for clients that are programs",
      value: z.boolean(),
    },
    http: { flag: "--http", description: "serve clients over HTTP, with a token", value: z.boolean() },
    port: {
      flag: "--port <n>",
      description: `the port, ${overHttp} (default: a free one)`,
      value: z.coerce.number().int().min(0).max(65_535),
      expected: "a port",
    },
    host: {
      flag: "--host <address>",
      description: `the address to listen on, ${overHttp} (default: 127.0.0.1)`,
      value: z.string().min(1),
      expected: "an address",
    },
    allowHost: {
      flag: "--allow-host <name>",
      description: `an additional host name that clients may send, ${overHttp} (can be repeated)`,
      value: z.array(hostName),
      expected: "a host name without a port",
      isRepeated: true,
    },
    allowOrigin: {
      flag: "--allow-origin <name>",
      description: `the host name of a page that may call the server, ${overHttp} (can be repeated)`,
      value: z.array(hostName),
      expected: "a host name without a port",
      isRepeated: true,
    },
    tokenFile: {
      flag: "--token-file <file>",
      description: `the token file, ${overHttp} (default: .bridle/mcp-tokens.json, created at the first start)`,
      value: z.string().min(1),
      expected: "a file",
    },
    ...projectFlags,
  },
  examples: [
    "bridle mcp",
    "bridle mcp desk/agent.yaml",
    "bridle mcp --context",
    "bridle mcp --agents desk/agent.yaml sales/agent.yaml",
    "bridle mcp --http --port 8808 --allow-writes",
  ],
  notes: `Exit codes:
  0 the client disconnected, 1 a tool failed outside its call, 2 usage,
  3 configuration, 130 interrupted (143 by SIGTERM, 129 by SIGHUP)`,
  async run({ operand: agent, operands: files, flags }, cli) {
    const {
      http = false,
      tools,
      context: ofData,
      agents: ofAgents = false,
      rehearse,
      allowWrites,
      structured,
      port,
      host,
      allowHost,
      allowOrigin,
      tokenFile,
    } = flags;
    if (agent !== undefined && tools !== undefined) throw new UsageError("Name an agent file or --tools, not both.");
    if (agent !== undefined && ofData) throw new UsageError("Name an agent file or --context, not both.");
    if (!ofAgents && files.length > 1) throw new UsageError("Name one agent file, or add --agents.");
    if (!ofAgents && rehearse !== undefined) throw new UsageError("Only agents have a model. Add --agents.");
    const agents = ofAgents ? { files, mayWrite: allowWrites ?? false, rehearse } : undefined;
    const selection = { agent, tools, context: ofData, agents, allowWrites, structured };
    const address = { port, host, tokenFile, allowedHosts: allowHost, allowedOrigins: allowOrigin };
    if (!http && Object.values(address).some((value) => value !== undefined)) {
      throw new UsageError(
        "The address, its names and the file of tokens are those of a server over HTTP. Add --http.",
      );
    }
    const context = await withProject(flags, cli);
    return http ? serveHttp({ ...selection, ...address }, context) : serveOnStdio(selection, context);
  },
});
