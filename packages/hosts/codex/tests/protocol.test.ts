/** Compares the messages that Bridle reads and sends with the protocol that the installed Codex prints. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bareContext, bareConversation } from "@bridle/host-shared";
import { textMessage } from "@bridle/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { type Setting, toArguments } from "../src/boundary/closed-set.ts";
import { installedCodex } from "../src/boundary/codex-binary.ts";
import { configDifferences, expectedLayers } from "../src/boundary/effective-config.ts";
import { threadDifferences } from "../src/boundary/thread-options.ts";
import { type CodexFailureFacts, codexFailureClasses, turnError } from "../src/errors/classify-turn.ts";
import { toCallAnswer } from "../src/history/response-items.ts";
import { isOutOfCredits } from "../src/limits/windows.ts";
import { InputCheck, isInput } from "../src/messages/input-check.ts";
import type { HostTurnError } from "../src/messages/messages.ts";
import * as messages from "../src/messages/messages.ts";
import { JsonRpc } from "../src/process/json-rpc.ts";
import { loginMethods } from "../src/process/start-check.ts";
import { bundledCatalog, closedCatalog, processSettings } from "../src/process/start-server.ts";
import { codexSettingsSchema } from "../src/settings/host-settings.ts";
import { CodexSteps } from "../src/turn/step.ts";
import { definition, methodsOf, misfits, unreadable, valuesOf } from "./support/protocol-schema.ts";
import { startCodex } from "./support/test-backend.ts";

test("every notification that is read exists at the pin, and its fields can be read whatever they hold", () => {
  const methods = methodsOf("ServerNotification")
    .set("rawResponseItem/completed", definition("RawResponseItemCompletedNotification")) // internal notifications are not in the list
    .set("rawResponse/completed", definition("RawResponseCompletedNotification"));
  const differences = Object.entries(messages.notificationSchemas).flatMap(([method, schema]) =>
    methods.has(method) ? unreadable(schema, methods.get(method), method) : [`${method} does not exist`],
  );
  expect(differences).toEqual([]);
});

test("every answer that is read exists at the pin, and its fields can be read whatever they hold", () => {
  const answers: Readonly<Record<string, z.ZodType>> = {
    InitializeResponse: messages.initializeAnswer,
    ThreadStartResponse: messages.threadAnswer,
    TurnStartResponse: messages.turnAnswer,
    ListMcpServerStatusResponse: messages.serversAnswer,
    HooksListResponse: messages.hooksAnswer,
    SkillsListResponse: messages.skillsAnswer,
    ConfigReadResponse: messages.configAnswer,
    ExperimentalFeatureListResponse: messages.featuresAnswer,
    CommandExecResponse: messages.commandAnswer,
  };
  const differences = Object.entries(answers).flatMap(([name, schema]) => unreadable(schema, definition(name), name));
  expect(differences).toEqual(["ListMcpServerStatusResponse.data[].path does not exist"]); // Bridle reads this field only for skills
});

test("every request of Codex that is answered exists at the pin, can be read, and gets an answer that it knows", () => {
  const requests = methodsOf("ServerRequest");
  const read = (method: string, schema: z.ZodType) => unreadable(schema, requests.get(method) ?? {}, method);
  expect(read("item/tool/call", messages.callSchema)).toEqual([]);
  expect(read("item/fileChange/requestApproval", messages.approvalSchema)).toEqual([]);
  const answer = toCallAnswer({ output: "seen", images: [image], isError: false });
  expect(misfits(answer, definition("DynamicToolCallResponse"), "answer")).toEqual([]);
  const answered = ["item/tool/call", "item/fileChange/requestApproval"]; // patch-protocol.test.ts tests the answers to the second
  expect([...requests.keys()].filter((method) => !answered.includes(method))).toEqual([
    "item/commandExecution/requestApproval",
    "item/tool/requestUserInput",
    "mcpServer/elicitation/request",
    "item/permissions/requestApproval",
    "account/chatgptAuthTokens/refresh",
    "attestation/generate",
    "currentTime/read",
    "applyPatchApproval",
    "execCommandApproval",
  ]); // these requests are refused
});

const image = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;

/** Returns, by method, every request of a conversation that sends everything that can be sent. */
async function sentMessages(): Promise<[method: string, params: object][]> {
  const sent = vi.spyOn(JsonRpc.prototype, "request");
  onTestFinished(() => sent.mockRestore());
  const { backend, close } = await startCodex({ rehearsal: 1, turns: [{ steps: [{ call: "look", with: {} }] }] });
  const inputSchema = { type: "object", properties: {} } as const;
  const content = [{ type: "text", text: "Look" } as const, image];
  const call = { type: "tool-call", callId: "1", tool: "look", input: {} } as const;
  const signal = new AbortController().signal;
  const conversation = await backend.open(
    {
      ...bareConversation("gpt-6-sol"),
      system: { static: "You look.", dynamic: "" },
      tools: [{ name: "look", description: "Looks.", inputSchema, annotations: {} }],
      hostSettings: { effort: "low", summary: "auto", serviceTier: "priority" },
      outputSchema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
      history: [
        { role: "user", content },
        { role: "assistant", content: [{ type: "text", text: "I look." }, call] },
        {
          role: "user",
          content: [{ type: "tool-result", callId: "1", output: "seen", isError: false, images: [image] }],
        },
      ],
    },
    signal,
  );
  await conversation.turn({ role: "user", content }, bareContext(signal)).catch(() => {});
  await conversation.close();
  await close();
  return sent.mock.calls;
}

test("every request that is sent exists at the pin, with each parameter, its type and its value", async () => {
  const requests = methodsOf("ClientRequest");
  const sent = await sentMessages();
  expect([...new Set(sent.map(([method]) => method))].sort()).toEqual([
    "config/read",
    "experimentalFeature/list",
    "getAuthStatus",
    "hooks/list",
    "initialize",
    "mcpServerStatus/list",
    "skills/list",
    "thread/inject_items",
    "thread/start",
    "thread/unsubscribe",
    "turn/interrupt",
    "turn/start",
  ]);
  expect(sent.flatMap(([method]) => (requests.has(method) ? [] : [method]))).toEqual(["getAuthStatus"]); // not in the protocol
  expect(sent.flatMap(([method, params]) => misfits(params, requests.get(method) ?? {}, method))).toEqual([]);
  const injected = z.object({ items: z.array(z.unknown()).min(4) });
  const history = sent.flatMap(([, params]) => injected.safeParse(params).data?.items ?? []);
  expect(history.flatMap((item) => misfits(item, definition("ResponseItem"), "item"))).toEqual([]);
});

test("every effort and summary that can be set exists at the pin", async () => {
  const { effort, summary } = codexSettingsSchema.shape;
  expect(summary.unwrap().options.toSorted()).toEqual(valuesOf("ReasoningSummary"));
  const level = z.looseObject({ effort: z.string() });
  const model = z.looseObject({ supported_reasoning_levels: z.array(level) });
  const { models } = await bundledCatalog();
  const levels = models.flatMap((each) => model.parse(each).supported_reasoning_levels.map((found) => found.effort));
  const unused = effort.unwrap().options.filter((option) => !levels.includes(option));
  expect(levels.filter((found) => !effort.safeParse(found).success)).toEqual([]);
  expect(unused).toEqual(["none", "minimal"]); // used by models that are not in the catalog; a level may be any string
});

test("every setting of the closed set exists at the pin", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bridle-settings-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const catalogFile = join(folder, "models.json");
  await writeFile(catalogFile, await closedCatalog());
  for (const auth of ["api_key", "session"] as const) {
    const settings = processSettings({ auth, environment: {} }, [], catalogFile);
    expect(await startStrictly(folder, settings)).toContain("userAgent");
    expect(await startStrictly(folder, [...settings, ["features.of_tomorrow", false]])).toContain("unknown");
  }
});

/** Starts Codex so that it refuses unknown settings, and returns its first output. */
async function startStrictly(folder: string, settings: readonly Setting[]): Promise<string> {
  const env = { HOME: folder, CODEX_HOME: folder };
  const child = spawn(installedCodex().binary, ["--strict-config", ...toArguments(settings)], { env });
  const clientInfo = { name: "test", version: "1" };
  child.stdin.on("error", () => {}); // Codex has refused and closed its input
  child.stdin.write(`${JSON.stringify({ id: 1, method: "initialize", params: { clientInfo } })}\n`);
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const [words] = await Promise.race([once(child.stdout, "data"), once(child, "close").then(() => [errors])]);
  const ended = once(child, "close").catch(() => {});
  if (child.exitCode === null && child.kill("SIGKILL")) await ended;
  return String(words);
}

const facts: CodexFailureFacts = {
  auth: "session",
  isSubscription: true,
  model: "m",
  models: [],
  hasBaseUrl: false,
  limits: undefined,
};
const codeOf = (info: HostTurnError["codexErrorInfo"]) =>
  turnError({ message: "It failed.", codexErrorInfo: info }, facts).code;

test("every kind of failure at the pin has a class, and one of tomorrow is a crash of the host", () => {
  const names = valuesOf("CodexErrorInfo");
  expect(Object.keys(codexFailureClasses).filter((name) => !names.includes(name))).toEqual([]);
  expect(Object.fromEntries(names.map((name) => [name, codeOf(name)]))).toEqual({
    activeTurnNotSteerable: "backend_crash",
    badRequest: "invalid_request",
    cyberPolicy: "invalid_request",
    contextWindowExceeded: "context_overflow",
    flexUnavailable: "overloaded",
    httpConnectionFailed: "network",
    inferenceHookDenied: "invalid_request",
    internalServerError: "overloaded",
    serverOverloaded: "overloaded",
    misalignmentPolicyViolation: "invalid_request",
    modelNotFound: "model_not_found",
    other: "backend_crash",
    policyCapacityUnavailable: "overloaded",
    rateLimitExceeded: "rate_limit",
    sandboxError: "backend_crash",
    responseStreamConnectionFailed: "network",
    responseStreamDisconnected: "network",
    responseTooManyFailedAttempts: "backend_crash",
    sessionBudgetExceeded: "backend_crash",
    threadRollbackFailed: "backend_crash",
    tooManyDenials: "backend_crash",
    unauthorized: "authentication",
    usageLimitExceeded: "billing", // no window was reported in this test
  });
  expect(codeOf({ ofTomorrow: { httpStatusCode: null } })).toBe("backend_crash");
  expect([codeOf("ofTomorrow"), codeOf(null)]).toEqual(["backend_crash", "backend_crash"]);
});

test("every kind of item at the pin is an input, an answer, a call or a result, and others change nothing", () => {
  const steps = new CodexSteps({ model: "m", prices: {}, isEstimate: false, isObject: false });
  const kindOf = (type: string) => {
    if (type.endsWith("_output")) return "result";
    if (isInput({ type, role: "user" })) return "input";
    const content = [{ type: "text", text: "Words." }];
    const events = steps.item({ type, name: "tool", arguments: "{}", call_id: type, content });
    if (steps.finish(undefined).calls.length > 0) return "call";
    return events.some((event) => event.type !== "step.started") ? "answer" : "other";
  };
  const kinds = Object.groupBy([...valuesOf("ResponseItem"), "of_tomorrow"], kindOf);
  expect(kinds).toEqual({
    input: ["additional_tools", "agent_message", "compaction", "compaction_trigger", "context_compaction", "message"],
    call: [
      "custom_tool_call",
      "function_call",
      "image_generation_call",
      "local_shell_call",
      "tool_search_call",
      "web_search_call",
    ],
    result: ["custom_tool_call_output", "function_call_output", "tool_search_output"],
    answer: ["reasoning"],
    other: ["configuration_update", "other", "of_tomorrow"],
  });
  const check = new InputCheck({ spec: bareConversation("m"), instructions: "", history: [], input: textMessage("") });
  const added = (kinds.input ?? []).filter((type) => check.difference({ type, role: "user" }) !== undefined);
  expect(added).toEqual(["agent_message", "compaction", "compaction_trigger", "context_compaction"]); // the others have passed input
});

test("every layer of settings at the pin is ours, an administrator's, or refused", () => {
  const layers = valuesOf("ConfigLayerSource");
  const isRefused = (type: string) =>
    configDifferences({ config: {}, layers: [{ name: { type }, config: { a: 1 } }] }, []).length > 0;
  expect(expectedLayers.filter((type) => !layers.includes(type))).toEqual([]);
  expect(layers.filter(isRefused)).toEqual(["project", "user"]);
  expect(isRefused("of-tomorrow")).toBe(true);
});

test("the other values that are read are those of the pin", () => {
  const logins = Object.values(loginMethods).flat().filter(Boolean);
  expect(valuesOf("AuthMode").filter((mode) => !logins.includes(mode))).toEqual([
    "agentIdentity",
    "bedrockAccessKeys",
    "bedrockApiKey",
    "chatgptAuthTokens",
    "headers",
    "personalAccessToken",
  ]); // Codex refuses to start with one of them
  expect(valuesOf("AuthMode")).toEqual(expect.arrayContaining(logins));
  expect(valuesOf("TurnStatus")).toEqual(["completed", "failed", "inProgress", "interrupted"]);
  expect(valuesOf("RateLimitReachedType").filter((type) => isOutOfCredits({ rateLimitReachedType: type }))).toEqual([
    "workspace_member_credits_depleted",
    "workspace_owner_credits_depleted",
  ]);
  expect(valuesOf("SandboxPolicy").filter((type) => threadDifferencesOf({ sandbox: { type } }).length === 0)).toEqual([
    "readOnly",
  ]);
  expect(
    valuesOf("AskForApproval").filter((policy) => threadDifferencesOf({ approvalPolicy: policy }).length === 0),
  ).toEqual(["never"]);
});

function threadDifferencesOf(change: Partial<messages.ThreadAnswer>): string[] {
  const thread = { id: "1", ephemeral: true };
  const asked = { thread, model: "m", modelProvider: "bridle", cwd: "/", instructionSources: [] };
  const answer = { ...asked, approvalPolicy: "never", sandbox: { type: "readOnly" }, ...change };
  return threadDifferences(answer, bareConversation("m"), { provider: "bridle", patchFolder: undefined });
}
