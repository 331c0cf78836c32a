import { isPlainObject } from "@bridle/protocol";
import { z } from "zod";
import { file, flag, refused, text } from "../config/fields.ts";

/** Fields that are of a server that is started here, and of one that is reached at an address. */
const ofProcess = ["command", "args", "env", "env_file", "encoding", "config"] as const;
const ofAddress = ["url", "headers", "terminate_on_close"] as const;

const variables = z.record(z.string().regex(/^[A-Za-z_]\w*$/, "has to be a name of letters, digits and _"), z.string());
const seconds = (what: string) => z.number().positive().max(86_400).describe(what);

const transports = ["stdio", "http", "sse"] as const;

const transport = z
  .enum(transports, {
    error: ({ input }) =>
      input === "websocket"
        ? "is not supported as websocket, which is no transport of the protocol. Use http, which most servers offer at /mcp, or stdio."
        : "has to be stdio, http or sse",
  })
  .describe(
    "How the server is spoken to: a process on its standard streams, streamable HTTP, or the older HTTP with SSE.",
  );

const fields = z.strictObject({
  type: z.literal("mcp").describe("A server of the Model Context Protocol, whose tools the agent gets."),
  name: text("What the server is called here, in errors, logs and the instructions; its tools keep their own names."),
  description: text(
    "What the tools are for: a sentence that the model is told with the names of the tools.",
  ).optional(),
  transport: transport.default("stdio"),
  command: text("The program that is the server, such as npx, node, uvx or docker. Only with stdio.").optional(),
  args: z
    .array(z.string())
    .optional()
    .describe("Its arguments; paths are from the folder of this file. Only with stdio."),
  env: variables
    .optional()
    .describe(
      "Variables for the server. It gets these, env_file's, and what a process needs to start; no others. Only with stdio.",
    ),
  env_file: file(
    "A file of NAME=value lines with more variables; those in env count over it. Only with stdio.",
  ).optional(),
  encoding: z
    .string()
    .regex(/^utf-?8$/i, "has to be utf-8, which the protocol prescribes")
    .optional()
    .describe("Of the standard streams: utf-8, which the protocol prescribes. Only with stdio."),
  config: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Settings that the server reads from its variable MCP_CONFIG, as JSON. Only with stdio."),
  url: z
    .url()
    .optional()
    .describe("Where the server is; http only on this machine, else https. Only with http and sse."),
  headers: z.record(z.string(), z.string()).optional().describe("Headers of every request. Only with http and sse."),
  terminate_on_close: flag(
    "Tells the server at the end that the session is over. Default true. Only with http.",
  ).optional(),
  timeout: seconds("Seconds in which the server has to have started and told its tools.").default(60),
  request_timeout: seconds("Seconds without a sign of progress after which a call is given up.").default(60),
  tools: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe("The names of the tools to take, as the server tells them. Default: all."),
  tool_prefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,32}$/, "has to be 1 to 32 letters, digits, _ or -")
    .optional()
    .describe("Stands before the name of each tool, such as issues_, so that tools of two servers do not meet."),
  is_retrieval: flag("What the tools return counts as retrieved text for metrics of tests.").optional(),
  load_tools: z
    .literal(true, {
      error:
        "cannot be false: nothing but tools is taken from a server. Remove the entry, or name in tools what to take.",
    })
    .optional()
    .describe("Takes the tools of the server; nothing else is taken, so it cannot be false."),
  load_prompts: z
    .literal(false, {
      error:
        "cannot be true: prompts of a server are not offered. Remove it, and write what the agent needs into its instructions.",
    })
    .optional()
    .describe("Prompts of a server are not offered, so it cannot be true."),
  sse_read_timeout: refused(
    "request_timeout says how long a call may be without a sign of progress, on every transport.",
  ),
  server: refused("write which program or address it is, such as command: npx and args: [-y, PACKAGE]."),
  registry_name: refused("no registry is read. Remove it; command and args, or url, say which server is meant."),
});

/**
 * A server of the Model Context Protocol, whose tools the agent may call. What the transport has no use for is told also
 * where a field is wrong in itself, so that all problems are told at once.
 */
export const mcpToolConfig = fields.superRefine(
  (config, context) =>
    refuseStrangers(config, (field, message) => {
      context.addIssue({ code: "custom", path: [field], message });
    }),
  { when: ({ value }) => isPlainObject(value) },
);

export type McpToolConfig = z.output<typeof mcpToolConfig>;

/** Fields that the transport needs, or has no use for; any of them may still be of a wrong type. */
function refuseStrangers(config: z.input<typeof fields>, complain: (field: string, message: string) => void): void {
  const { transport = "stdio", url } = config;
  if (!transports.includes(transport)) return;
  const isProcess = transport === "stdio";
  const needed = isProcess ? "command" : "url";
  if (config[needed] === undefined) complain(needed, `is missing, which the transport ${transport} needs`);
  for (const field of isProcess ? ofAddress : ofProcess) {
    if (config[field] !== undefined) complain(field, `is not for the transport ${transport}. Remove it.`);
  }
  if (config.terminate_on_close !== undefined && transport === "sse") {
    complain("terminate_on_close", "is not for the transport sse, which has no sessions to end. Remove it.");
  }
  if (url !== undefined && URL.canParse(url) && !isSafe(url)) {
    complain("url", "has to begin with https://; only a server on this machine may be reached by http://.");
  }
}

/** What is sent may hold credentials, which only this machine may see on its way. */
function isSafe(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || (protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname));
}
