import { z } from "zod";
import { defineRoute, type Route } from "../../src/http/route.ts";

/** Routes that count their calls, and the calls that would change something. */
export class RecordingRoutes {
  reads = 0;
  changes = 0;

  readonly routes: readonly Route[] = [
    defineRoute({
      method: "GET",
      path: "/things",
      summary: "List.",
      role: "viewer",
      replies: { 200: z.unknown() },
      query: z.strictObject({ limit: z.coerce.number().int().min(1).optional() }),
      handle: async () => {
        this.reads += 1;
        return { status: 200, body: { things: [] } };
      },
    }),
    this.#changing("POST", "/things"),
    this.#changing("PUT", "/things/{thing}"),
    this.#changing("PATCH", "/things/{thing}"),
    this.#changing("DELETE", "/things/{thing}"),
    defineRoute({
      method: "GET",
      path: "/things/{thing}",
      summary: "Get.",
      role: "viewer",
      replies: { 200: z.unknown() },
      handle: async ({ names }) => {
        this.reads += 1;
        return { status: 200, body: names };
      },
    }),
  ];

  #changing(method: Route["method"], path: string): Route {
    return defineRoute({
      method,
      path,
      summary: "Change.",
      role: "operator",
      replies: { 200: z.unknown() },
      body: z.strictObject({ name: z.string().optional() }),
      handle: async () => {
        this.changes += 1;
        return { status: 200, body: {} };
      },
    });
  }
}
