/** Opens the odd server with the given arguments and prints its pid. The test then kills this process. */
import { silentLogger, TrustedFolder } from "@bridle/protocol";
import { mcpToolConfig } from "../src/tool-kinds/mcp/mcp-config.ts";
import { openMcpServer } from "../src/tool-kinds/mcp/open-mcp-server.ts";

const [server = "", ...args] = process.argv.slice(2);
const config = mcpToolConfig.parse({ type: "mcp", name: "odd", command: process.execPath, args: [server, ...args] });
const folder = import.meta.dirname;
const environment = { PATH: process.env.PATH };
const { tools } = await openMcpServer(config, {
  baseDir: folder,
  projectDir: folder,
  stateDir: folder,
  environment,
  logger: silentLogger,
  trusted: await TrustedFolder.require(undefined, []),
});
const context = {
  runId: "r",
  callId: "c",
  projectDir: folder,
  environment: {},
  logger: silentLogger,
  progress() {},
  signal: new AbortController().signal,
};
const output = await tools.find(({ name }) => name === "pid")?.execute({}, context);
console.log(typeof output === "string" ? output : output?.markdown);
