/** Checks the options of a data context's methods. Without these checks, a misspelt key could widen a scope or drop a budget silently. */
import { given, InvalidRequestError, type OptionsShape, optionsCheck } from "@bridle/protocol";
import type { QueryOptions } from "@bridle/warehouse";
import { z } from "zod";
import type { ListChangesOptions } from "../files/change-log.ts";
import type { CheckFilesOptions } from "../metrics/check-model-files.ts";
import type { MetricRunOptions } from "../metrics/metric-queries.ts";
import type { ModelProposalRequest } from "../proposals/models/propose-models.ts";
import type { ProposalRequest } from "../proposals/propose-judged-joins.ts";
import type { ScanOptions } from "../scan/scan-options.ts";
import type { FindOptions } from "../search/context-search.ts";
import type { CallerOptions, ContextToolsetOptions, WriteDescriptionsOptions } from "./context-options.ts";

const error = { error: InvalidRequestError };
const scope = z.strictObject({ include: given.texts.optional(), exclude: given.texts.optional() }).optional();
const caller: OptionsShape<CallerOptions> = { connections: given.texts.optional(), scope };
const signal = given.signal.optional();
const budget = z.strictObject({ queries: given.number.optional(), timeMs: given.number.optional() }).optional();
const generating = { tokens: given.number.optional(), onProgress: given.callback.optional(), signal };

export const checkScan = optionsCheck<ScanOptions>(
  "scan",
  {
    budget,
    sampleRows: given.number.optional(),
    statementTimeoutMs: given.number.optional(),
    decisions: given.list.optional(),
    proposals: given.list.optional(),
    refresh: given.flag.optional(),
    reconnect: given.callback.optional(),
    onProgress: given.callback.optional(),
    signal,
    now: given.callback.optional(),
  },
  error,
);

export const checkWriteDescriptions = optionsCheck<WriteDescriptionsOptions>(
  "writeDescriptions",
  { connection: given.text.optional(), ...generating },
  error,
);

export const checkSearch = optionsCheck<FindOptions & CallerOptions>(
  "search",
  {
    ...caller,
    limit: given.number.optional(),
    isVisible: given.callback.optional(),
    kinds: given.texts.optional(),
    signal,
  },
  error,
);

export const checkCaller = (method: string) => optionsCheck<CallerOptions>(method, caller, error);

export const checkSql = optionsCheck<QueryOptions>(
  "sql",
  {
    scope,
    limits: z
      .strictObject({
        maxRows: given.number.optional(),
        maxBytes: given.number.optional(),
        timeoutMs: given.number.optional(),
      })
      .optional(),
    signal,
  },
  error,
);

export const checkTools = optionsCheck<ContextToolsetOptions>(
  "tools",
  { ...caller, replyTokens: given.number.optional(), knowledge: z.enum(["all", "structure"]).optional() },
  error,
);

export const checkMetricQuery = optionsCheck<MetricRunOptions & CallerOptions>(
  "metrics.query",
  {
    ...caller,
    signal,
    maxRows: given.number.optional(),
    planOnly: given.flag.optional(),
    noCache: given.flag.optional(),
  },
  error,
);

export const checkMetricCheck = optionsCheck<CallerOptions & Pick<MetricRunOptions, "signal">>(
  "metrics.check",
  { ...caller, signal },
  error,
);

export const checkMetricFiles = optionsCheck<CheckFilesOptions>(
  "metrics.checkFiles",
  { measures: given.object.optional(), signal },
  error,
);

export const checkModelProposals = optionsCheck<ModelProposalRequest>(
  "metrics.propose",
  {
    ...generating,
    history: given.object.optional(),
    table: given.text.optional(),
    connection: given.text.optional(),
    generate: given.callback.optional(),
  },
  error,
);

export const checkJoinProposals = optionsCheck<ProposalRequest>(
  "joins.propose",
  { ...generating, budget, connection: given.text, generate: given.callback },
  error,
);

export const checkChanges = optionsCheck<ListChangesOptions>(
  "files.changes",
  { limit: given.number.optional(), byAgents: given.flag.optional() },
  error,
);
