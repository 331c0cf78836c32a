/** A server in a separate process that tests kill: `serving-process.ts <project> <script>`. Prints its address. */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { withProject } from "@bridle/app/project";
import { createRuntime } from "@bridle/app/runtime";
import { openWorkspace } from "@bridle/app/serving";
import { silentLogger } from "@bridle/protocol";
import { HttpServer } from "../../src/http/http-server.ts";
import { defaultHttpLimits } from "../../src/http/limits.ts";
import { noPage } from "../../src/http/page.ts";
import { hashToken } from "../../src/http/tokens/access-token.ts";
import { agUiApi } from "../../src/protocols/ag-ui/ag-ui-routes.ts";
import { aiSdkApi } from "../../src/protocols/ai-sdk/chat-routes.ts";
import { openAiApi } from "../../src/protocols/openai/openai-api.ts";
import { streamRoutes } from "../../src/streams/stream-routes.ts";

const [cwd = "", prompt = ""] = process.argv.slice(2);
const context = await withProject(
  {},
  {
    cwd,
    environment: { ...process.env, HOME: cwd },
    version: "0.0.0",
    packageRoot: cwd,
    createRuntime,
    onFault: () => () => {},
    trust: { check: async () => [], require: async () => {} },
  },
);
const workspace = await openWorkspace(context, { rehearse: join(cwd, "script.yaml") });
const server = await HttpServer.listen({
  host: "127.0.0.1",
  port: 0,
  allowedHosts: [],
  allowedOrigins: [],
  isBehindProxy: false,
  page: noPage,
  basePath: "",
  isReadOnly: false,
  logger: silentLogger,
  now: Date.now,
  limits: defaultHttpLimits,
  tokens: [{ name: "tests", role: "operator", namespace: undefined, hash: hashToken("a-token-of-the-tests") }],
  workspaceOf: async () => workspace,
  apis: [{ id: "native", base: "/api/v1", routes: streamRoutes }, agUiApi, aiSdkApi, openAiApi()],
});
process.once("SIGTERM", () => {
  const grace = workspace.close(200); // plus one second for runs that are stopped then
  server.endStreams();
  void grace.then(() => server.close()).then(() => process.exit(0));
});
const request = { session: "trip", prompt, key: { value: "k", bodyHash: "h" } };
const run = prompt === "" ? undefined : await workspace.runs.start(request);
writeSync(1, `${JSON.stringify({ url: server.url, run })}\n`);
