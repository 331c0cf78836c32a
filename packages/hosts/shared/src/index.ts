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
