import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { KeyReusedError } from "./serving-errors.ts";
import type { RequestKey, ServingState } from "./serving-state.ts";
import type { OnceWork } from "./workspace.ts";

/** Work that is started only once for each key. */
export interface KeyedWork<Plan, Result> {
  /** The ids for the work, such as the id of a run. They are stored on disk before the work begins. */
  readonly plan: Plan;
  readonly planSchema: z.ZodType<Plan>;
  readonly resultSchema: z.ZodType<Result>;
  /** Returns the result of work that a process began before it died; `undefined` if the work had not begun. */
  find(plan: Plan): Promise<Result | undefined>;
  begin(plan: Plan): Promise<Result>;
}

/** The interval for checking a request that another process works on, in milliseconds. */
const pollMs = 20;

/** Ensures that a request that is sent several times with the same key starts its work only once, even after a crash. */
export class RepeatedRequests {
  readonly #state: ServingState;
  readonly #running = new Map<string, { readonly bodyHash: string; readonly result: Promise<unknown> }>();

  constructor(state: ServingState) {
    this.#state = state;
  }

  /** Throws KeyReusedError if the key was used with another body. If the work fails, the key can be used again. */
  async once<Plan, Result>(
    kind: string,
    { value, bodyHash }: RequestKey,
    work: KeyedWork<Plan, Result>,
  ): Promise<Result> {
    const key = { value: `${kind} ${value}`, bodyHash };
    const running = this.#running.get(key.value);
    if (running !== undefined && running.bodyHash !== bodyHash) throw new KeyReusedError(value);
    if (running !== undefined) return work.resultSchema.parse(await running.result);
    const result = this.#perform(key, value, work);
    this.#running.set(key.value, { bodyHash, result });
    try {
      return await result;
    } finally {
      this.#running.delete(key.value);
    }
  }

  /** Does work whose result cannot be found again. If the process dies before the result is stored, the work is repeated. */
  async perform<Result>(key: RequestKey | undefined, { kind, resultSchema, begin }: OnceWork<Result>): Promise<Result> {
    if (key === undefined) return begin();
    return this.once(kind, key, {
      plan: {},
      planSchema: z.object({}),
      resultSchema,
      find: async () => undefined,
      begin,
    });
  }

  async #perform<Plan, Result>(key: RequestKey, shown: string, work: KeyedWork<Plan, Result>): Promise<Result> {
    for (;;) {
      const claim = this.#state.claim(key, JSON.stringify(work.plan));
      if (claim.state === "other") throw new KeyReusedError(shown);
      if (claim.state === "done") return work.resultSchema.parse(JSON.parse(claim.result));
      if (claim.state === "busy") await setTimeout(pollMs);
      else return this.#begin(key.value, work, claim);
    }
  }

  async #begin<Plan, Result>(
    key: string,
    { planSchema, find, begin }: KeyedWork<Plan, Result>,
    claim: { readonly state: "new" | "left"; readonly plan: string },
  ): Promise<Result> {
    const plan = planSchema.parse(JSON.parse(claim.plan));
    try {
      const result = (claim.state === "left" ? await find(plan) : undefined) ?? (await begin(plan));
      this.#state.complete(key, JSON.stringify(result));
      return result;
    } catch (error) {
      this.#state.release(key);
      throw error;
    }
  }
}
