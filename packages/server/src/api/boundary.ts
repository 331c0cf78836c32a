/** The proof that a model gets only the content that was passed to it, as `bridle doctor --boundary` checks it. */
import type { Workspace } from "@bridle/app/serving";
import { checkProject, checkSchema } from "@bridle/app/status";
import { z } from "zod";
import { defineRoute, type Route } from "../http/route.ts";
import { replyRedacted } from "./replies.ts";

export const boundaryReplySchema = z.strictObject({
  /** When this server last ran the proof; `null` if it has not. */
  at: z.iso.datetime().nullable(),
  check: checkSchema.nullable(),
});
type Proof = z.output<typeof boundaryReplySchema>;

const none: Proof = { at: null, check: null };

/** The timeout of the proof, in milliseconds. */
const proofMs = 120_000;

async function prove({ context }: Workspace): Promise<Proof> {
  const { namespace } = context.project;
  const signal = AbortSignal.timeout(proofMs);
  const checks = await checkProject({ namespace, live: false, boundary: true, signal }, context);
  return { at: new Date().toISOString(), check: checks.find(({ id }) => id === "boundary") ?? null };
}

export function createBoundaryRoutes(): readonly Route[] {
  const proofs = new WeakMap<Workspace, Proof>();
  const running = new WeakMap<Workspace, Promise<Proof>>();
  const read = defineRoute({
    method: "GET",
    path: "/doctor/boundary",
    summary: "This server's newest proof that the model gets only a run's input. Runs nothing.",
    role: "viewer",
    replies: { 200: boundaryReplySchema },
    handle: async ({ workspace }) => replyRedacted(workspace, proofs.get(workspace) ?? none),
  });
  const run = defineRoute({
    method: "POST",
    path: "/doctor/boundary",
    summary: "Proves on this machine that the model gets only a run's input. Starts the host with a rehearsed model.",
    role: "operator",
    body: z.strictObject({}).optional(),
    replies: { 200: boundaryReplySchema },
    async handle({ workspace }) {
      const proof = running.get(workspace) ?? prove(workspace).finally(() => running.delete(workspace));
      running.set(workspace, proof);
      proofs.set(workspace, await proof);
      return replyRedacted(workspace, await proof);
    },
  });
  return [read, run];
}
