export { classifyFailure, type FailureClass, type ObservedFailure } from "./failures/classify-failure.ts";
export {
  asSentence,
  billingError,
  contextOverflowError,
  invalidRequestError,
  limitError,
  outputLimitError,
  overloadedError,
} from "./failures/failure-errors.ts";
export {
  anthropicPrices,
  checkPrices,
  costAtPrices,
  openaiPrices,
  type Price,
  type PricedUsage,
  type PriceTable,
  priceOf,
  pricesAsOf,
} from "./prices/prices.ts";
export { isMachineVariable, machineVariables } from "./system/machine-variables.ts";
export { makeTemporaryFolder } from "./system/temporary-folder.ts";
