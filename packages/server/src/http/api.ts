import type { ProblemDocument } from "./problem.ts";
import type { Route } from "./route.ts";

/** A set of routes under one base path: the native API, or another protocol. */
export interface Api {
  /** The name of the protocol in `serve.protocols`. */
  readonly id: string;
  /** The base path of all routes, such as `/api/v1`. */
  readonly base: string;
  readonly routes: readonly Route[];
  /** Formats errors, if the protocol has its own format. Default: `application/problem+json`. */
  readonly formatProblem?: (problem: ProblemDocument) => unknown;
  /** Closes the resources that were opened for clients. Called when the server shuts down, after the last run has ended. */
  readonly close?: () => Promise<void>;
}
