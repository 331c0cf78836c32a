/**
 * Checks the keys and types of every operation's options, because a misspelt `policy` would be ignored, and a call that it denies would
 * run. The contents of values are checked where they are used.
 */
import {
  given,
  InvalidRequestError,
  type LoopRequest,
  type ObjectRequest,
  type OptionsCheckSettings,
  type OptionsShape,
  optionsCheck,
  type SendOptions,
  type SessionRequest,
  type TextRequest,
} from "@bridle/protocol";
import { z } from "zod";
import { policySchemaOfProgram } from "../../policy/given-policy.ts";

const settings: OptionsCheckSettings = { error: InvalidRequestError };

/** The common options of operations, sessions and their runs. */
const common = {
  labels: given.object.optional(),
  policy: policySchemaOfProgram.optional(),
  approve: given.callback.optional(),
  projectDir: given.text.optional(),
  environment: given.object.optional(),
  eventDetails: given.list.optional(),
  stepBudget: given.number.optional(),
};

const ofModel = {
  role: given.text.optional(),
  model: given.text.optional(),
  system: z
    .union([z.string(), z.strictObject({ static: z.string().optional(), dynamic: z.string().optional() })])
    .optional(),
  maxOutputTokens: given.number.optional(),
  temperature: given.number.optional(),
  topP: given.number.optional(),
  builtins: given.list.optional(),
  hostSettings: given.object.optional(),
};

const ofRun = {
  signal: given.signal.optional(),
  timeoutMs: given.number.optional(),
  maxCostUsd: given.number.optional(),
  maxTotalTokens: given.number.optional(),
  onStep: given.callback.optional(),
};

const textShape: OptionsShape<TextRequest> = {
  prompt: given.anything,
  tools: given.list.optional(),
  ...common,
  ...ofModel,
  ...ofRun,
};

const objectShape: OptionsShape<ObjectRequest<unknown>> = {
  ...textShape,
  schema: given.anything,
  schemaRetries: given.number.optional(),
};

const loopShape: OptionsShape<LoopRequest> = {
  ...objectShape,
  tools: given.list,
  schema: given.anything.optional(),
  parent: given.object.optional(),
  maxDepth: given.number.optional(),
  compaction: z.enum(["none", "drop-tool-results", "summarise"]).optional(),
};

const sessionShape: OptionsShape<SessionRequest> = {
  ...common,
  ...ofModel,
  tools: given.list,
  schema: given.anything.optional(),
  schemaRetries: given.number.optional(),
  maxDepth: given.number.optional(),
  compaction: loopShape.compaction,
  id: given.text.optional(),
  compactAt: given.number.optional(),
};

const sendShape: OptionsShape<SendOptions> = {
  ...common,
  ...ofRun,
  parent: given.object.optional(),
  runId: given.text.optional(),
  whenBusy: z.enum(["wait", "fail"]).optional(),
};

const onlyOfSession = "It belongs to the session: pass it to openSession().";
const onlyOfRun = "It belongs to a run: pass it to send().";

export const checkTextRequest = optionsCheck<TextRequest>("generateText", textShape, settings);
export const checkObjectRequest = optionsCheck<ObjectRequest<unknown>>("generateObject", objectShape, settings);
export const checkLoopRequest = optionsCheck<LoopRequest>("runAgentLoop", loopShape, settings);
export const checkSessionRequest = optionsCheck<SessionRequest>("openSession", sessionShape, {
  ...settings,
  remedies: Object.fromEntries(Object.keys(ofRun).map((key) => [key, onlyOfRun])),
});
export const checkSendOptions = optionsCheck<SendOptions>("send", sendShape, {
  ...settings,
  remedies: Object.fromEntries([...Object.keys(ofModel), "tools", "schema"].map((key) => [key, onlyOfSession])),
});
export const checkForkOptions = optionsCheck<{ atStep?: number | undefined }>(
  "fork",
  { atStep: given.number.optional() },
  settings,
);
