import { isPlainObject, mcpTransports } from "@bridle/protocol";
import { z } from "zod";
import { file, flag, refused, text } from "../../config/fields.ts";

/** The fields for a server that Bridle starts, and those for a server at an address. */
const ofProcess = ["command", "args", "env", "env_file", "encoding", "config"] as const;
const ofAddress = ["url", "headers", "terminate_on_close"] as const;

const variables = z.record(z.string().regex(/^[A-Za-z_]\w*$/, "must be a name of letters, digits and _"), z.string());
const seconds = (what: string) => z.number().positive().max(86_400).describe(what);

const transport = z
  .enum(mcpTransports, {
    error: ({ input }) =>
      input === "websocket"
        ? "is not supported as websocket, which is not a transport of the protocol. Use http, which most servers have at /mcp, or stdio."
        : "must be stdio, http or sse",
  })
  .describe(
    "The connection to the server: stdio starts a process and uses its standard streams, http is streamable HTTP, sse is the older HTTP with SSE.",
  );

const fields = z.strictObject({
  type: z.literal("mcp").describe("A Model Context Protocol server. The agent gets its tools."),
  name: text("The name of the server in errors, logs and instructions. Its tools keep their own names."),
  description: text("The purpose of the tools, in one sentence. The model gets it with their names.").optional(),
  transport: transport.default("stdio"),
  command: text("The program of the server, such as npx, node, uvx or docker. Only with stdio.").optional(),
  args: z
    .array(z.string())
    .optional()
    .describe("The arguments of the program. It runs in the folder of this file. Only with stdio."),
  env: variables
    .optional()
    .describe(
      "Variables for the server. It gets only these, the variables of env_file, and the ones that every process needs to start. Only with stdio.",
    ),
  env_file: file(
    "A file of NAME=value lines with more variables. Variables in env override it. Only with stdio.",
  ).optional(),
  encoding: z
    .string()
    .regex(/^utf-?8$/i, "must be utf-8, which the protocol requires")
    .optional()
    .describe("The encoding of the standard streams. Can only be utf-8, which the protocol requires. Only with stdio."),
  config: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Settings that the server reads from its variable MCP_CONFIG, as JSON. Only with stdio."),
  url: z
    .url()
    .optional()
    .describe(
      "The address of the server. It begins with https, or with http for a server on this machine. Only with http and sse.",
    ),
  headers: z.record(z.string(), z.string()).optional().describe("Headers of every request. Only with http and sse."),
  terminate_on_close: flag(
    "Whether the server is notified when the session ends. Only with http. Default: true.",
  ).optional(),
  timeout: seconds("Seconds for the server to start and list its tools.").default(60),
  request_timeout: seconds("Seconds without an answer or progress after which a call fails.").default(60),
  tools: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe("The tools that the agent gets, by their names on the server. Default: all."),
  tool_prefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,32}$/, "must be 1 to 32 letters, digits, _ or -")
    .optional()
    .describe(
      "A prefix for the name of each tool, such as issues_, so that the tools of two servers have different names.",
    ),
  is_retrieval: flag(
    "Whether results of the tools count as retrieved text for the metrics of tests. Default: false.",
  ).optional(),
  load_tools: z
    .literal(true, {
      error:
        "cannot be false: Bridle uses only the tools of a server. Remove the entry, or list the tools that you need in tools.",
    })
    .optional()
    .describe("Can only be true: Bridle uses only the tools of a server."),
  load_prompts: z
    .literal(false, {
      error:
        "cannot be true: Bridle does not use the prompts of a server. Remove it, and write the instructions of the agent yourself.",
    })
    .optional()
    .describe("Can only be false: Bridle does not use the prompts of a server."),
  sse_read_timeout: refused("use request_timeout, which limits calls on every transport."),
  server: refused("write the program or the address, such as command: npx and args: [-y, PACKAGE]."),
  registry_name: refused("Bridle reads no registry. Remove it, and write command and args, or url."),
});

/**
 * A server of the Model Context Protocol. Fields that do not match the transport are reported even if other fields are invalid, so that
 * users see all problems at once.
 */
export const mcpToolConfig = fields.superRefine(
  (config, context) =>
    checkTransportFields(config, (field, message) => {
      context.addIssue({ code: "custom", path: [field], message });
    }),
  { when: ({ value }) => isPlainObject(value) },
);

export type McpToolConfig = z.output<typeof mcpToolConfig>;

/** Reports fields that the transport needs or does not use. Their values may still have a wrong type. */
function checkTransportFields(config: z.input<typeof fields>, report: (field: string, message: string) => void): void {
  const { transport = "stdio", url } = config;
  if (!mcpTransports.includes(transport)) return;
  const isProcess = transport === "stdio";
  const needed = isProcess ? "command" : "url";
  if (config[needed] === undefined) report(needed, `is missing, which the transport ${transport} needs`);
  for (const field of isProcess ? ofAddress : ofProcess) {
    if (config[field] !== undefined) report(field, `is not for the transport ${transport}. Remove it.`);
  }
  if (config.terminate_on_close !== undefined && transport === "sse") {
    report("terminate_on_close", "is not for the transport sse, which has no sessions to end. Remove it.");
  }
  if (url !== undefined && URL.canParse(url) && !isSafe(url)) {
    report("url", "must begin with https://. Only a server on this machine can have http://.");
  }
}

/** Whether an address is encrypted or on this machine. Other addresses are refused, because requests may contain credentials. */
function isSafe(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || (protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname));
}
