export { runEmbedding } from "./embeddings/run-embedding.ts";
export { startBoundaryError } from "./failures/boundary-error.ts";
export { classifyFailure, type FailureClass, type ObservedFailure } from "./failures/classify-failure.ts";
export {
  asSentence,
  billingError,
  commonFailureError,
  contextOverflowError,
  invalidRequestError,
  limitError,
  outputLimitError,
  overloadedError,
} from "./failures/failure-errors.ts";
export { reachedEvents } from "./failures/reached-events.ts";
export { toStrictSchema } from "./objects/output-schema.ts";
export { parseObject } from "./objects/parse-object.ts";
export {
  anthropicPrices,
  checkPrices,
  costAtPrices,
  costOfUsage,
  openaiPrices,
  type Price,
  type PricedUsage,
  type PriceTable,
  priceOf,
  pricesAsOf,
} from "./prices/prices.ts";
export { bareContext, bareConversation } from "./probes/bare-conversation.ts";
export { probeCredentials } from "./probes/probe-credentials.ts";
export { HostChildProcess, type HostCommand, setReferenced, watchdogOfThisProcess } from "./process/child-process.ts";
export { requireIdleTimeout, SilenceWatch, silenceError } from "./process/silence-watch.ts";
export { type BoundaryFinding, summarizeFindings } from "./proof/findings.ts";
export { startTrafficWatch } from "./proof/traffic-watch.ts";
export { describeSources, findSources, folderAndAncestors, type SourceCandidate } from "./sources/implicit-sources.ts";
export { OrderedCalls } from "./steps/ordered-calls.ts";
export { isMachineVariable, machineVariables } from "./system/machine-variables.ts";
export { createHostFolder, type HostFolder, makeTemporaryFolder } from "./system/temporary-folder.ts";
export { withoutNetwork } from "./system/without-network.ts";
