export {
  type FoundJoins,
  type FoundKey,
  type FoundLink,
  findJoins,
  type LinkEvidence,
  type LinkSignal,
} from "./joins/find-joins.ts";
