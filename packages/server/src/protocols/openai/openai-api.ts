/** OpenAI's APIs: responses, chat completions, and models. */
import type { ServedAgent } from "@bridle/app/serving";
import { z } from "zod";
import type { Api } from "../../http/api.ts";
import type { Route } from "../../http/route.ts";
import { completionRoute } from "./chat-completions.ts";
import { formatError } from "./openai-errors.ts";
import { type ResponsesOptions, responseRoutes } from "./response-routes.ts";
import { RetriedRequests } from "./retried-requests.ts";

export function openAiApi(options: ResponsesOptions = { showsReasoning: false }): Api {
  const retries = new RetriedRequests();
  return {
    id: "openai",
    base: "/openai/v1",
    routes: [...responseRoutes(options, retries), completionRoute(retries), listModels, getModel],
    formatProblem: ({ status, code, detail }) => formatError({ status, code, message: detail }),
  };
}

const listModels: Route = {
  method: "GET",
  path: "/models",
  role: "viewer",
  summary: "The agents, as models.",
  replies: { 200: z.looseObject({}) },
  handle: async ({ workspace }) => {
    return { status: 200, body: { object: "list", data: workspace.agents.list().map(toModel) } };
  },
};

const getModel: Route = {
  method: "GET",
  path: "/models/{model}",
  role: "viewer",
  summary: "An agent, as a model.",
  replies: { 200: z.looseObject({}) },
  handle: async ({ workspace, names }) => {
    return { status: 200, body: toModel(workspace.agents.get(names.model ?? "")) };
  },
};

function toModel({ id }: ServedAgent) {
  return { id, object: "model", created: 0, owned_by: "bridle" };
}
